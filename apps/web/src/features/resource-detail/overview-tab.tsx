"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import type { LiveNode } from "../live/live-node.ts";
import { Conditions } from "./conditions.tsx";
import { EventLines } from "./events-tab.tsx";
import { Annotations } from "./facts/annotations.tsx";
import { DetailSections } from "./facts/detail-sections.tsx";
import { RunHistory } from "./facts/run-history.tsx";
import { HealthCard } from "./health-card.tsx";
import { LoadProblem } from "./load-problem.tsx";
import { Notices } from "./notices.tsx";
import { OwnFacts } from "./own-facts.tsx";
import { Replicas } from "./replicas.tsx";
import type { ResourceState } from "./use-resource.ts";
import { sayLater } from "../../ui/said.ts";

/** Why it is as it is, its replicas, what it says of itself, its conditions, its last events. */
export function OverviewTab(props: {
  readonly node: LiveNode;
  readonly resource: ResourceState;
  /** It has left. */
  readonly departed?: boolean;
  /** What was measured of it. */
  readonly metrics?: ReactNode;
}): ReactNode {
  const { node, resource, departed = false, metrics } = props;
  const { answer } = resource;
  const { conditions = [], events = [], sections = [], annotations = {} } = answer ?? {};
  const facts = node.presence === Presence.PRESENT && <OwnFacts node={node} answer={answer} />;
  // What one looks for in a pod are its containers.
  const isPod = node.ref?.group === "" && node.ref.kind === "Pod";
  return (
    <>
      <LoadProblem resource={resource} what="details" />
      <HealthCard node={node} departed={departed} />
      <Notices notices={node.notices} />
      {isPod && <DetailSections sections={sections} />}
      {node.wanted >= 0 && <Replicas node={node} answer={answer} />}
      {metrics}
      {facts}
      <RunHistory node={node} />
      {!isPod && <DetailSections sections={sections} />}
      {conditions.length > 0 && <Conditions conditions={conditions} />}
      {events.length > 0 && (
        <section>
          <h3>{sayLater("resource-detail/events")}</h3>
          <EventLines events={events.slice(0, 3)} />
        </section>
      )}
      <Annotations annotations={annotations} />
    </>
  );
}
