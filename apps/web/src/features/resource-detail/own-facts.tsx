"use client";
import type { GetResourceResponse, ResourceRef, GitopsSync, ManifestPlace } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../ui/format-time.ts";
import { OutwardLink } from "../../ui/outward-link.tsx";
import { placeWords } from "../../ui/place-words.ts";
import { messageText, tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { NO_LOGS_STATE } from "../address/logs-state.ts";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import type { LiveNode } from "../live/live-node.ts";
import { DetailRows } from "./facts/detail-rows.tsx";
import factStyles from "./facts/facts.module.css";
import { tLaterElements } from "../../ui/message-elements.ts";
import { shortSha } from "../../ui/short-sha.ts";
import { useView, useEnvironmentStore } from "../live/environment-context.tsx";
import { NodeLink } from "../resource/node-link.tsx";
import { managerWords } from "@binnacle/presentation/health/why-words";
import styles from "./facts/facts.module.css";
import { LongValue } from "./facts/long-value.tsx";
import { useFewFirst } from "./facts/use-few-first.tsx";
import { failureOf, syncOf } from "./sync-of.ts";

const FEW = 12;

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
      <h3>{tLater("resource-detail/facts")}</h3>
      <dl className={`facts ${factStyles["rows"]}`}>
        {node.factWords !== undefined && (
          <>
            <dt>{tLater("ui/state")}</dt>
            <dd>{messageText(node.factWords)}</dd>
          </>
        )}
        {node.managedBy !== undefined && (
          <>
            <dt>{tLater("resource-detail/origin")}</dt>
            <dd>
              <Origin node={node} />
            </dd>
          </>
        )}
        <AppliedFrom node={node} manifest={manifest} />
        {createdMs !== undefined && (
          <>
            <dt>{tLater("ui/age")}</dt>
            <dd>
              <ExactTime atMs={createdMs} now={now}>
                {tLater("resource-detail/age-since", { age: formatAge(createdMs, now), at: formatSecond(createdMs, now) })}
              </ExactTime>
            </dd>
          </>
        )}
        {node.deletingSince !== undefined && (
          <>
            <dt>{tLater("resource-detail/deleting")}</dt>
            <dd>
              {tLaterElements("ui/since", {
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
            <dt>{tLater("detail/restarts")}</dt>
            <dd className="num">{node.restarts}</dd>
          </>
        )}
        {node.ref !== undefined && isPod(node.ref) && node.restarts > 0 && (
          <>
            <dt>{tLater("resource-detail/before-restart")}</dt>
            <dd>
              <StateLink change={{ sel: selectionOf(node.ref), tab: "logs", logs: { ...NO_LOGS_STATE, previous: true } }}>
                {tLater("resource-detail/previous-logs")}
              </StateLink>
            </dd>
          </>
        )}
        {!hasContainers && node.images.length > 0 && (
          <>
            <dt>{tLater("ui/images")}</dt>
            <dd className="mono" translate="no">
              {node.images.join(", ")}
            </dd>
          </>
        )}
        {node.certificates.length > 0 && (
          <>
            <dt>{tLater("resource-detail/certificates")}</dt>
            <dd data-certificates={node.certificates.length}>
              {node.certificates.map(messageText).map((text) => (
                <div key={text}>{text}</div>
              ))}
            </dd>
          </>
        )}
        {Object.keys(labels).length > 0 && (
          <>
            <dt>{tLater("ui/labels")}</dt>
            <dd>
              <LabelTags labels={labels} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** From which project, commit and file an agent applies it, and why it could not the last time; nothing for what no sync is known to apply. */
export function AppliedFrom({ node, manifest }: { readonly node: LiveNode; readonly manifest?: ManifestPlace | undefined }): ReactNode {
  const status = useView().environment?.delivery?.sync;
  const sync = syncOf(status?.value, node);
  if (sync === undefined) return null;
  const failure = failureOf(sync, node);
  return (
    <>
      <dt>{tLater("resource-detail/applied-from")}</dt>
      <dd>
        {sync.project}
        {status?.asOf === undefined && <AtCommit sync={sync} />}
        {manifest !== undefined && (
          <p>
            <OutwardLink url={manifest.url} title={manifest.path}>
              <code>{placeWords(manifest)}</code>
            </OutwardLink>
          </p>
        )}
        {failure !== undefined && (
          <p>
            {failure.drifted ? tLater("resource-detail/differs-from-commit") : tLater("resource-detail/last-sync-failed")}
            {failure.reason !== "" && `: ${failure.reason}`}
            {failure.path !== "" && (failure.path !== manifest?.path || failure.fieldLine > 0) && (
              <code> {placeWords({ path: failure.path, line: failure.fieldLine || failure.line })}</code>
            )}
          </p>
        )}
      </dd>
    </>
  );
}

/** The commit is named only where it is known, and now, that everything is as that says. */
function AtCommit({ sync: { state, failed, drifted, outcomeUnknown, sha, commitUrl, title } }: { readonly sync: GitopsSync }): ReactNode {
  if (sha === "" || state !== GitopsState.SYNCED || outcomeUnknown || failed + drifted > 0) return null;
  return (
    <>
      {" "}
      {tLaterElements("resource-detail/at-commit", {
        commit: (
          <OutwardLink url={commitUrl} title={title}>
            <code>{shortSha(sha)}</code>
          </OutwardLink>
        ),
      })}
    </>
  );
}

/** Labels, each as it is written; the first of many. */
export function LabelTags({ labels }: { readonly labels: Readonly<Record<string, string>> }): ReactNode {
  const { shown, rest } = useFewFirst(Object.entries(labels), FEW);
  return (
    <>
      <span className={styles["tags"]}>
        {shown.map(([key, value]) => (
          <span key={key} className="tag">
            <LongValue text={`${key}=${value}`} />
          </span>
        ))}
      </span>
      {rest}
    </>
  );
}

/** Who applied it, or what it was generated from; only for nodes that say so. */
function Origin({ node }: { readonly node: LiveNode }): ReactNode {
  const store = useEnvironmentStore();
  const { managedBy } = node;
  if (managedBy === undefined) return null;
  const manager = managerWords(managedBy);
  if (managedBy.direct) return <>{tLater("resource-detail/managed-directly-by", { manager })}</>;
  const generator = generatorOf(node, (id) => store.node(id));
  return (
    <>
      {tLaterElements("resource-detail/generated-from-managed", {
        what:
          generator === undefined ? (
            tLater("resource-detail/a-resource")
          ) : (
            <>
              {generator.ref?.kind} <NodeLink node={generator} />
            </>
          ),
        manager,
      })}
    </>
  );
}

/** The nearest owner that was applied directly, else the topmost one; `undefined` when no owner is in the view. */
export function generatorOf(node: LiveNode, nodeOf: (id: string) => LiveNode | undefined): LiveNode | undefined {
  const seen = new Set([node.id]);
  let top: LiveNode | undefined;
  for (let owner = nodeOf(node.ownerId); owner !== undefined && !seen.has(owner.id); owner = nodeOf(owner.ownerId)) {
    if (owner.managedBy?.direct === true) return owner;
    seen.add(owner.id);
    top = owner;
  }
  return top;
}
