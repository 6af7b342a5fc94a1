"use client";
import type { ResourceEvent } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { formatAbsolute, formatSecond, millisOf } from "../../ui/format-time.ts";
import { useNow } from "../../ui/use-now.ts";
import styles from "./drawer.module.css";
import type { ResourceState } from "./use-resource.ts";

/** Events about the resource and its children, newest first, repeated ones folded. */
export function EventsTab({ resource, present }: { readonly resource: ResourceState; readonly present: boolean }): ReactNode {
  const answer = resource.answer;
  if (resource.problem !== undefined) return <p className={styles["problem"]}>The events could not be loaded: {resource.problem}</p>;
  if (answer === undefined) return present ? <output>Loading</output> : <p className="muted">There are no events to show.</p>;
  if (answer.eventsProblem !== "") return <p className={styles["problem"]}>{answer.eventsProblem}</p>;
  if (answer.events.length === 0) return <p className="muted">No events. Kubernetes forgets them after an hour.</p>;
  return <EventLines events={answer.events} />;
}

/** Events as lines. */
export function EventLines({ events }: { readonly events: readonly ResourceEvent[] }): ReactNode {
  const now = useNow(60_000);
  return (
    <ul className={styles["events"]}>
      {events.map((event) => {
        const atMs = event.lastAt === undefined ? undefined : millisOf(event.lastAt);
        return (
          <li key={`${event.reason}${event.message}${event.regarding?.name}${atMs}`} className={event.type === "Warning" ? "degraded" : ""}>
            <time title={atMs === undefined ? undefined : formatAbsolute(atMs)}>{atMs === undefined ? "" : formatSecond(atMs, now)}</time>
            <div>
              <b>{event.reason}</b>{" "}
              <span className="muted">
                {event.regarding === undefined ? "" : `${event.regarding.kind} ${event.regarding.name}`}
                {event.count > 1 ? `${event.regarding === undefined ? "" : ", "}${event.count} times` : ""}
              </span>
              <span className={styles["wrap"]}>{event.message}</span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
