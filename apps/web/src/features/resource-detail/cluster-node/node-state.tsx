"use client";
import type { Condition } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { CopyRequest } from "../../../ui/copy-request.tsx";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../../ui/format-time.ts";
import { LongText } from "../../../ui/long-text.tsx";
import { tLater } from "../../../ui/messages.ts";
import { tLaterElements } from "../../../ui/message-elements.ts";
import { StateGlyph, type StateLook } from "../../../ui/state-glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { WithTimes } from "../../../ui/with-times.tsx";
import { useView } from "../../live/environment-context.tsx";
import styles from "../drawer.module.css";
import type { PodsOnNode } from "./cluster-node.ts";

/** Conditions of a Node that say what it runs short of. */
const SHORTAGES: ReadonlySet<string> = new Set(["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"]);

const VERBS = "get, list, watch";
const RESOURCE = "nodes";

/** Whether a Node is ready by its own conditions, since when and why not, and whether it takes pods. */
export function NodeState({
  conditions,
  isCordoned,
}: {
  readonly conditions: readonly Condition[];
  readonly isCordoned: boolean;
}): ReactNode {
  const now = useNow(10_000);
  const ready = conditions.find(({ type }) => type === "Ready");
  const short = conditions.filter(({ type, status }) => SHORTAGES.has(type) && status === "True").map(({ type }) => type);
  const look = lookOf(ready, short.length > 0 || isCordoned);
  const sinceMs = ready?.since === undefined ? undefined : millisOf(ready.since);
  return (
    <section className={`${styles["cause"]} ${look}`} aria-label={tLater("resource-detail/node/state")} data-node-state={look}>
      <div className="row">
        <span className={`st ${look}`}>
          <StateGlyph look={look} />
          {wordOf(ready)}
        </span>
        {sinceMs !== undefined && (
          <span className="muted num">
            <ExactTime atMs={sinceMs} now={now}>
              {tLater("resource-detail/since", { at: formatSecond(sinceMs, now), age: formatAge(sinceMs, now) })}
            </ExactTime>
          </span>
        )}
      </div>
      {ready !== undefined && ready.status !== "True" && ready.message !== "" && <LongText text={ready.message} translate="no" />}
      {short.length > 0 && <p>{tLater("resource-detail/node/short-of", { conditions: short })}</p>}
      {isCordoned && <p>{tLater("resource-detail/node/cordoned")}</p>}
    </section>
  );
}

/** Ready is Unknown when the kubelet has not reported for a while: then its pods are lost as well. */
function lookOf(ready: Condition | undefined, isImpaired: boolean): StateLook {
  if (ready === undefined) return "unknown";
  if (ready.status !== "True") return "degraded";
  return isImpaired ? "progressing" : "healthy";
}

function wordOf(ready: Condition | undefined): string {
  if (ready === undefined) return tLater("resource-detail/node/not-reported");
  return tLater(ready.status === "True" ? "resource-detail/node/ready" : "resource-detail/node/not-ready");
}

/** What is known of a Node that the viewer may not read: what its pods show, which rule is missing, and a request for it. */
export function UnreadNode({ name, pods }: { readonly name: string; readonly pods: PodsOnNode }): ReactNode {
  const { viewer } = useView();
  const who = viewer?.clusterUsername || viewer?.username || "";
  const request = (): string =>
    tLater("resource-detail/node/request", { verbs: VERBS, resource: RESOURCE, node: name, who, href: location.href });
  return (
    <section
      className={`${styles["cause"]} ${pods.lost > 0 ? "degraded" : "neutral"}`}
      aria-label={tLater("resource-detail/node/state")}
      data-node-state="forbidden"
    >
      <PodsSummary pods={pods} />
      <p className={styles["locked"]}>
        <StateGlyph look="locked" size={14} />
        <span>{tLater("resource-detail/node/may-not-read")}</span>
      </p>
      <p>
        {tLaterElements("resource-detail/node/missing-rule", {
          verbs: <span className="mono">{VERBS}</span>,
          resource: (
            <span className="mono" translate="no">
              {RESOURCE}
            </span>
          ),
        })}
      </p>
      <CopyRequest text={request} />
    </section>
  );
}

/** How many pods of the environment are on a Node, and how many of them show that it is not ready. */
export function PodsSummary({ pods: { pods, lost, lostSinceMs, known } }: { readonly pods: PodsOnNode }): ReactNode {
  const now = useNow(10_000);
  if (known === "none") return <p>{tLater("resource-detail/node/pods-not-known")}</p>;
  const at = lostSinceMs === undefined ? undefined : formatSecond(lostSinceMs, now);
  return (
    <p>
      {pods.length === 0 ? tLater("resource-detail/node/pods-none") : tLater("resource-detail/node/pods-are", { count: pods.length })}
      {lost > 0 && (
        <>
          {" "}
          <WithTimes text={tLater("resource-detail/node/pods-show-lost", { count: lost, at })} times={[lostSinceMs]} now={now} />
        </>
      )}
      {known === "some" && <> {tLater("resource-detail/node/not-all")}</>}
    </p>
  );
}
