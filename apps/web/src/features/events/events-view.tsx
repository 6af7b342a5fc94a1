"use client";
import type { ReactNode } from "react";
import { useView } from "../live/environment-context.tsx";
import { useEvents } from "../live/use-events.ts";
import { EventsBoard } from "./events-board.tsx";

/** What Kubernetes reports of the environment, what happens to its agent, and deployments and syncs: by workload, live. */
export function EventsView(): ReactNode {
  return <EventsBoard live={useEvents()} history={useView().environment?.delivery?.history} />;
}
