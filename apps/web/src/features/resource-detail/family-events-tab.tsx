"use client";
import type { ReactNode } from "react";
import { useEnvironmentStore, useGraphVersion } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import { useEvents } from "../live/use-events.ts";
import { EventsTab } from "./events-tab.tsx";
import { familyEvents } from "../events/family-events.ts";
import type { ResourceState } from "./use-resource.ts";

/** The Events of a resource, with those of what it owns from the environment's own, live. */
export function FamilyEventsTab(props: { readonly node: LiveNode; readonly resource: ResourceState; readonly kept: boolean }): ReactNode {
  const { node, resource, kept } = props;
  const store = useEnvironmentStore();
  useGraphVersion();
  const family = familyEvents(store, node, useEvents().events.values());
  return <EventsTab resource={resource} family={family} kept={kept} />;
}
