"use client";
import type { GetResourceResponse } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../ui/format-time.ts";
import { said } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import type { LiveNode } from "../live/live-node.ts";
import { AppliedFrom } from "./applied-from.tsx";
import { DetailRows } from "./facts/detail-rows.tsx";
import factStyles from "./facts/facts.module.css";
import { LabelTags } from "./facts/label-tags.tsx";
import { Origin } from "./origin.tsx";

/** What the view knows of a resource, then what the resource says of itself, in the words of its kind. */
export function OwnFacts({ node, answer }: { readonly node: LiveNode; readonly answer: GetResourceResponse | undefined }): ReactNode {
  const { labels = {}, manifest, facts = [], sections = [] } = answer ?? {};
  const now = useNow(10_000);
  const createdMs = node.createdAt === undefined ? undefined : millisOf(node.createdAt);
  // Its containers say theirs.
  const hasContainers = sections.some(({ parts }) => parts.length > 0);
  return (
    <section data-section="facts">
      <h3>Facts</h3>
      <dl className={`facts ${factStyles["rows"]}`}>
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
        <DetailRows rows={facts} />
        {!hasContainers && node.restarts > 0 && (
          <>
            <dt>Restarts</dt>
            <dd className="num">{node.restarts}</dd>
          </>
        )}
        {!hasContainers && node.images.length > 0 && (
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
        {Object.keys(labels).length > 0 && (
          <>
            <dt>Labels</dt>
            <dd>
              <LabelTags labels={labels} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
