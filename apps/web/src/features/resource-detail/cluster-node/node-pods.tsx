"use client";
import type { NodeEnvironment } from "@binnacle/proto/dashboard";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatClock, millisOf } from "../../../ui/format-time.ts";
import { tLater } from "../../../ui/messages.ts";
import { tLaterElements } from "../../../ui/message-elements.ts";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { environmentPath } from "../../address/route-path.ts";
import { detailKeys } from "../../queries/detail-keys.ts";
import { sentenceOfError } from "../../queries/request-error.ts";
import { dashboardClient } from "../../live/dashboard-client.ts";
import { lookOf, reasonBeside, statusOf, wordOf } from "../../live/health-status.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { clusterNodeSelection } from "../../resource/cluster-node-link.tsx";
import { NodeLink } from "../../resource/node-link.tsx";
import styles from "./cluster-node.module.css";
import type { PodsOnNode } from "./cluster-node.ts";

/** A node has 110 pods mostly, and an environment may have all of them. */
const MAX_PODS = 50;

/** What other environments show may have changed after so long. */
const OTHERS_MS = 30_000;

/** The page of a node. */
interface NodePlace {
  readonly projectPath: string;
  readonly environment: string;
  readonly name: string;
}

/** Pods on a node: those of this environment by name, of others how many, as far as the server has cached them. */
export function NodePods({ pods, ...place }: NodePlace & { readonly pods: PodsOnNode }): ReactNode {
  const left = pods.pods.length - MAX_PODS;
  return (
    <>
      <section data-section="node-pods">
        <h3>{tLater("resource-detail/node/here")}</h3>
        {pods.known === "none" && <p className="muted">{tLater("resource-detail/node/not-known")}</p>}
        {pods.known === "all" && pods.pods.length === 0 && <p className="muted">{tLater("resource-detail/node/no-pods")}</p>}
        <ul className={styles["pods"]}>
          {pods.pods.slice(0, MAX_PODS).map((pod) => (
            <Pod key={pod.id} pod={pod} />
          ))}
        </ul>
        {left > 0 && <p className="muted">{tLater("ui/and-more", { count: left })}</p>}
        {pods.known === "some" && <p className="muted">{tLater("resource-detail/node/not-all")}</p>}
      </section>
      <OtherEnvironments {...place} />
    </>
  );
}

function Pod({ pod }: { readonly pod: LiveNode }): ReactNode {
  const status = statusOf(pod);
  const look = lookOf(status);
  return (
    <li className={look}>
      <StateGlyph look={look} size={14} />
      <div>
        <NodeLink node={pod} />
        <span className={styles["state"]}>
          {wordOf(status)}
          {reasonBeside(pod) !== "" && (
            <span className="muted" translate="no">
              {" "}
              {reasonBeside(pod)}
            </span>
          )}
        </span>
      </div>
    </li>
  );
}

/** Only from what the server has cached: no cluster is read for it. */
function OtherEnvironments({ projectPath, environment, name }: NodePlace): ReactNode {
  const { data, error } = useQuery({
    queryKey: detailKeys.nodePods({ projectPath, environment, node: name }),
    queryFn: ({ signal }) => dashboardClient().listNodePods({ projectPath, environment, node: name }, { signal }),
    refetchInterval: OTHERS_MS,
  });
  const problem = sentenceOfError(error);
  return (
    <section data-section="node-environments">
      <h3>{tLater("resource-detail/node/others")}</h3>
      {data === undefined && <p className="muted">{problem ?? tLater("ui/loading")}</p>}
      {data?.environments.length === 0 && <p className="muted">{tLater("resource-detail/node/no-other")}</p>}
      <ul className={styles["environments"]}>
        {data?.environments.map((each) => (
          <li key={each.name}>
            <Link
              href={`${environmentPath(projectPath, each.name)}?${new URLSearchParams({ view: "summary", sel: clusterNodeSelection(name) })}`}
            >
              {each.name}
            </Link>
            <span className="num">
              <CachedPods of={each} />
            </span>
          </li>
        ))}
      </ul>
      {data !== undefined && data.more > 0 && (
        <p className="muted">{tLater("resource-detail/node/more-environments", { count: data.more })}</p>
      )}
      {data?.environments.some(({ pods }) => pods === undefined) === true && (
        <p className="muted">{tLater("resource-detail/node/others-note")}</p>
      )}
    </section>
  );
}

/** "3 pods, 2 not healthy, as of 11:52", or that it is not known. */
function CachedPods({ of: { pods, notHealthy, morePods, asOf } }: { readonly of: NodeEnvironment }): ReactNode {
  const now = useNow(10_000);
  if (pods === undefined) return <span className="muted">{tLater("resource-detail/node/not-known")}</span>;
  const counted = pods === 0 ? tLater("resource-detail/node/no-pods") : tLater("ui/pod-count", { count: pods });
  return (
    <>
      {morePods ? tLater("resource-detail/node/at-least", { pods: counted }) : counted}
      {notHealthy !== undefined && notHealthy > 0 && (
        <span className="degraded">, {tLater("resource-detail/node/not-healthy", { count: notHealthy })}</span>
      )}
      {asOf !== undefined && (
        <span className="muted">
          {", "}
          {tLaterElements("ui/as-of", {
            at: (
              <ExactTime atMs={millisOf(asOf)} now={now}>
                {formatClock(millisOf(asOf), now)}
              </ExactTime>
            ),
          })}
        </span>
      )}
    </>
  );
}
