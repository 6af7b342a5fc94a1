import { millisOf } from "../../../ui/format-time.ts";
import type { LiveNode } from "../../live/live-node.ts";

/** More than any CronJob keeps by default. */
const MOST = 10;

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
