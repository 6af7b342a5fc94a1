"use client";
import type { GetResourceResponse, ResourceRef } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../ui/format-time.ts";
import { said, sayLater } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import { NO_LOGS_STATE } from "../address/logs-state.ts";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import type { LiveNode } from "../live/live-node.ts";
import { AppliedFrom } from "./applied-from.tsx";
import { DetailRows } from "./facts/detail-rows.tsx";
import factStyles from "./facts/facts.module.css";
import { LabelTags } from "./facts/label-tags.tsx";
import { Origin } from "./origin.tsx";
import { sayLaterWith } from "../../ui/say-with.ts";

function isPod({ group, kind }: Pick<ResourceRef, "group" | "kind">): boolean {
  return group === "" && kind === "Pod";
}

/** What the view knows of a resource, then what the resource says of itself, in the words of its kind. */
export function OwnFacts({ node, answer }: { readonly node: LiveNode; readonly answer: GetResourceResponse | undefined }): ReactNode {
  const { labels = {}, manifest, facts = [], sections = [] } = answer ?? {};
  const now = useNow(10_000);
  const createdMs = node.createdAt === undefined ? undefined : millisOf(node.createdAt);
  // Its containers say theirs.
  const hasContainers = sections.some(({ parts }) => parts.length > 0);
  return (
    <section data-section="facts">
      <h3>{sayLater("resource-detail/facts")}</h3>
      <dl className={`facts ${factStyles["rows"]}`}>
        {node.factWords !== undefined && (
          <>
            <dt>{sayLater("resource-detail/state")}</dt>
            <dd>{said(node.factWords)}</dd>
          </>
        )}
        {node.managedBy !== undefined && (
          <>
            <dt>{sayLater("resource-detail/origin")}</dt>
            <dd>
              <Origin node={node} />
            </dd>
          </>
        )}
        <AppliedFrom node={node} manifest={manifest} />
        {createdMs !== undefined && (
          <>
            <dt>{sayLater("resource-detail/age")}</dt>
            <dd>
              <ExactTime atMs={createdMs} now={now}>
                {sayLater("resource-detail/age-since", { age: formatAge(createdMs, now), at: formatSecond(createdMs, now) })}
              </ExactTime>
            </dd>
          </>
        )}
        {node.deletingSince !== undefined && (
          <>
            <dt>{sayLater("resource-detail/deleting")}</dt>
            <dd>
              {sayLaterWith("resource-detail/since-time", {
                at: (
                  <ExactTime atMs={millisOf(node.deletingSince)} now={now}>
                    {formatSecond(millisOf(node.deletingSince), now)}
                  </ExactTime>
                ),
              })}
            </dd>
          </>
        )}
        <DetailRows rows={facts} />
        {!hasContainers && node.restarts > 0 && (
          <>
            <dt>{sayLater("resource-detail/restarts")}</dt>
            <dd className="num">{node.restarts}</dd>
          </>
        )}
        {node.ref !== undefined && isPod(node.ref) && node.restarts > 0 && (
          <>
            <dt>{sayLater("resource-detail/before-restart")}</dt>
            <dd>
              <StateLink change={{ sel: selectionOf(node.ref), tab: "logs", logs: { ...NO_LOGS_STATE, previous: true } }}>
                {sayLater("resource-detail/previous-logs")}
              </StateLink>
            </dd>
          </>
        )}
        {!hasContainers && node.images.length > 0 && (
          <>
            <dt>{sayLater("resource-detail/images")}</dt>
            <dd className="mono" translate="no">
              {node.images.join(", ")}
            </dd>
          </>
        )}
        {node.certificates.length > 0 && (
          <>
            <dt>{sayLater("resource-detail/certificates")}</dt>
            <dd data-certificates={node.certificates.length}>
              {node.certificates.map(said).map((text) => (
                <div key={text}>{text}</div>
              ))}
            </dd>
          </>
        )}
        {Object.keys(labels).length > 0 && (
          <>
            <dt>{sayLater("resource-detail/labels")}</dt>
            <dd>
              <LabelTags labels={labels} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
