"use client";
import type { GetResourceResponse, DetailRow } from "@binnacle/proto/dashboard";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
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
import type { ResourceState } from "./use-resource.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { lookOf, statusOf } from "../live/health-status.ts";

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
          <h3>{tLater("ui/events")}</h3>
          <EventLines events={events.slice(0, 3)} />
        </section>
      )}
      <Annotations annotations={annotations} />
    </>
  );
}

/** Replicas that are ready, of those that are wanted; while a rollout goes on or fails, how many are of the new revision. */
export function Replicas(props: { readonly node: LiveNode; readonly answer: GetResourceResponse | undefined }): ReactNode {
  const { node, answer } = props;
  const look = lookOf(statusOf(node));
  const updated = updatedOf(answer?.facts ?? []);
  const ready = Math.max(0, node.ready);
  return (
    <section>
      <h3>{tLater("detail/replicas-now")}</h3>
      <div className="row">
        <ReplicaBar ready={ready} wanted={node.wanted} rest={look} />
        <span className="num">
          {tLaterElements("resource-detail/ready-of-wanted", { ready: <b className="b">{ready}</b>, wanted: node.wanted })}
        </span>
      </div>
      {updated !== undefined && updated.count < updated.total && (
        <div className="row">
          <ReplicaBar ready={updated.count} wanted={updated.total} rest={look} />
          <span className="num">{tLater("drawer/updated", { ...updated })}</span>
        </div>
      )}
    </section>
  );
}

/** How many replicas of a workload are of its newest revision, as its facts say; nothing for what has no revisions. */
function updatedOf(facts: readonly DetailRow[]): { readonly count: number; readonly total: number } | undefined {
  const updated = facts.find(({ label }) => label?.id === "detail/updated")?.items[0]?.words;
  const [count, total] = ["count", "total"].map((name) => updated?.facts.find((fact) => fact.name === name)?.value);
  if (count?.case !== "number" || total?.case !== "number") return undefined;
  return { count: count.value, total: total.value };
}
