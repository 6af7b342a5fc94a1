"use client";
import { useEffect, useState } from "react";
import { useView } from "./environment-context.tsx";
import { eventsAfter, NO_EVENTS, type EventsContent } from "./events-content.ts";
import { liveTopics } from "./live-topics.ts";

/** What is known of the events of an environment, and how its stream fares. */
export interface LiveEvents extends EventsContent {
  /** Why nothing new comes now; absent while the stream is well. */
  readonly lost?: string | undefined;
}

/** Follows the events of the environment that this component stands in, as long as it is mounted. */
export function useEvents(): LiveEvents {
  const { environment } = useView();
  const [events, setEvents] = useState<LiveEvents>(NO_EVENTS);
  const [projectPath, name] = [environment?.projectPath, environment?.name];
  useEffect(() => {
    if (projectPath === undefined || name === undefined) return undefined;
    const end = liveTopics().subscribe(
      { what: "events", projectPath, environment: name },
      {
        take: ({ answer }) => {
          if (answer.case === "events") setEvents((before) => ({ ...eventsAfter(before, answer.value), lost: undefined }));
        },
        lost: (lost) => setEvents((before) => ({ ...before, lost })),
        // The environment's own stream says so, and shows nothing any more.
        unauthenticated: () => undefined,
      },
    );
    return () => {
      end();
      setEvents(NO_EVENTS);
    };
  }, [projectPath, name]);
  return events;
}
