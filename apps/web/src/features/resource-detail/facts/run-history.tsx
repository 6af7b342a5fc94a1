"use client";
import type { ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatAge, millisOf } from "../../../ui/format-time.ts";
import { messageText, tLater } from "../../../ui/messages.ts";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useEnvironmentStore, useGraphVersion } from "../../live/environment-context.tsx";
import { lookOf, statusOf, wordOf } from "../../live/health-status.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { NodeLink } from "../../resource/node-link.tsx";
import styles from "./facts.module.css";

/** More than any CronJob keeps by default. */
const MOST = 10;

/** The Jobs of a CronJob that are there, newest first, with how each ended; nothing for any other kind. */
export function RunHistory({ node }: { readonly node: LiveNode }): ReactNode {
  const store = useEnvironmentStore();
  useGraphVersion();
  const now = useNow(10_000);
  const runs = runsOf(node, store.nodes.values());
  if (runs.length === 0) return null;
  return (
    <section data-section="detail/history">
      <h3>{tLater("detail/history")}</h3>
      <ul className={styles["runs"]}>
        {runs.map((run) => {
          const look = lookOf(statusOf(run));
          const atMs = run.createdAt && millisOf(run.createdAt);
          return (
            <li key={run.id} className={look}>
              <StateGlyph look={look} size={14} />
              <NodeLink node={run} />
              <span className={styles["aside"]}>{messageText(run.factWords) || wordOf(statusOf(run))}</span>
              {atMs !== undefined && (
                <span className={`num ${styles["aside"]}`}>
                  <ExactTime atMs={atMs} now={now}>
                    {now === 0 ? "" : tLater("drawer/ago", { time: formatAge(atMs, now) })}
                  </ExactTime>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The Jobs of a CronJob among these nodes, newest first; none of any other kind. */
export function runsOf(node: Pick<LiveNode, "id" | "ref">, nodes: Iterable<LiveNode>): readonly LiveNode[] {
  if (node.ref?.kind !== "CronJob") return [];
  const runs: LiveNode[] = [];
  for (const each of nodes) if (each.ownerId === node.id && each.ref?.kind === "Job") runs.push(each);
  return runs.toSorted((a, b) => createdMs(b) - createdMs(a)).slice(0, MOST);
}

function createdMs({ createdAt }: LiveNode): number {
  return createdAt === undefined ? 0 : millisOf(createdAt);
}
