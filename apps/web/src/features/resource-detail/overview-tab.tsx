"use client";
import type { Condition, GetResourceResponse } from "@binnacle/proto/dashboard";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { LiveNode } from "../live/live-node.ts";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../ui/format-time.ts";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
import { said } from "../../ui/said.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { lookOf, statusOf } from "../live/health-status.ts";
import { AppliedFrom } from "./applied-from.tsx";
import styles from "./drawer.module.css";
import { conditionLook } from "./condition-look.ts";
import { EventLines } from "./events-tab.tsx";
import { HealthCard } from "./health-card.tsx";
import { LoadProblem } from "./load-problem.tsx";
import { Notices } from "./notices.tsx";
import { Origin } from "./origin.tsx";
import type { ResourceState } from "./use-resource.ts";

/** Why it is as it is, its replicas, its conditions, its last events. */
export function OverviewTab(props: {
  readonly node: LiveNode;
  readonly resource: ResourceState;
  /** What was measured of it. */
  readonly metrics?: ReactNode;
}): ReactNode {
  const { node, resource, metrics } = props;
  const conditions = resource.answer?.conditions ?? [];
  const events = resource.answer?.events ?? [];
  return (
    <>
      <LoadProblem resource={resource} what="details" />
      <HealthCard node={node} />
      <Notices notices={node.notices} />
      {node.wanted >= 0 && (
        <section>
          <h3>Replicas</h3>
          <div className="row">
            <ReplicaBar ready={Math.max(0, node.ready)} wanted={node.wanted} rest={lookOf(statusOf(node))} />
            <span className="num">
              <b className="b">{Math.max(0, node.ready)}</b> ready of {node.wanted} wanted
            </span>
          </div>
        </section>
      )}
      {metrics}
      {node.presence === Presence.PRESENT && <Facts node={node} answer={resource.answer} />}
      {conditions.length > 0 && (
        <section>
          <h3>Conditions</h3>
          <Conditions conditions={conditions} />
        </section>
      )}
      {events.length > 0 && (
        <section>
          <h3>Events</h3>
          <EventLines events={events.slice(0, 3)} />
        </section>
      )}
    </>
  );
}

function Conditions({ conditions }: { readonly conditions: readonly Condition[] }): ReactNode {
  const now = useNow(60_000);
  return (
    <table className={styles["conditions"]}>
      <caption className="visually-hidden">Conditions</caption>
      <tbody>
        {conditions.map((condition) => {
          const look = conditionLook(condition);
          return (
            <tr key={condition.type} className={look} title={condition.message}>
              <td>
                <StateGlyph look={look} size={14} />
              </td>
              <th scope="row">{condition.type}</th>
              <td>{condition.status}</td>
              <td className="muted">
                {condition.reason}
                {condition.since !== undefined && (
                  <>
                    {condition.reason === "" ? "" : ", "}
                    <ExactTime atMs={millisOf(condition.since)} now={now}>
                      {formatSecond(millisOf(condition.since), now)}
                    </ExactTime>
                  </>
                )}
                {look === "degraded" && condition.message !== "" && <span className={styles["wrap"]}>{condition.message}</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Facts({ node, answer }: { readonly node: LiveNode; readonly answer: GetResourceResponse | undefined }): ReactNode {
  const { labels = {}, manifest } = answer ?? {};
  const now = useNow(10_000);
  const createdMs = node.createdAt === undefined ? undefined : millisOf(node.createdAt);
  const entries = Object.entries(labels);
  return (
    <section>
      <h3>Facts</h3>
      <dl className="facts">
        {node.factWords !== undefined && (
          <>
            <dt>State</dt>
            <dd>{said(node.factWords)}</dd>
          </>
        )}
        {node.managedBy !== undefined && (
          <>
            <dt>Origin</dt>
            <dd>
              <Origin node={node} />
            </dd>
          </>
        )}
        <AppliedFrom node={node} manifest={manifest} />
        {createdMs !== undefined && (
          <>
            <dt>Age</dt>
            <dd>
              <ExactTime atMs={createdMs} now={now}>
                {formatAge(createdMs, now)}, since {formatSecond(createdMs, now)}
              </ExactTime>
            </dd>
          </>
        )}
        {node.deletingSince !== undefined && (
          <>
            <dt>Deleting</dt>
            <dd>
              since{" "}
              <ExactTime atMs={millisOf(node.deletingSince)} now={now}>
                {formatSecond(millisOf(node.deletingSince), now)}
              </ExactTime>
            </dd>
          </>
        )}
        {node.restarts > 0 && (
          <>
            <dt>Restarts</dt>
            <dd className="num">{node.restarts}</dd>
          </>
        )}
        {node.images.length > 0 && (
          <>
            <dt>Images</dt>
            <dd className="mono">{node.images.join(", ")}</dd>
          </>
        )}
        {node.certificates.length > 0 && (
          <>
            <dt>Certificates</dt>
            <dd data-certificates={node.certificates.length}>
              {node.certificates.map(said).map((text) => (
                <div key={text}>{text}</div>
              ))}
            </dd>
          </>
        )}
        {entries.length > 0 && (
          <>
            <dt>Labels</dt>
            <dd className={styles["labels"]}>
              {entries.map(([key, value]) => (
                <span key={key} className="tag">
                  {key}={value}
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
