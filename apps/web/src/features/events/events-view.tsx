"use client";
import type { ReactNode } from "react";
import { useEvents } from "../live/use-events.ts";
import { EventsBoard } from "./events-board.tsx";

/** What Kubernetes reports of the environment, and what happens to its agent: by workload, live. */
export function EventsView(): ReactNode {
  return <EventsBoard live={useEvents()} />;
}
