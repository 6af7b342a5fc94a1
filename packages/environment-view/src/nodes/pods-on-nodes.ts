import type { GraphNode } from "@binnacle/graph";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";

import type { ViewSource } from "../stream/view-model.ts";
import { nodeNameOf } from "./node-facts.ts";

/** Pods, by group and kind. */
export const PODS = { group: "", kind: "Pod" } as const;

/**
 * Writes the number of pods on their node into the issues that blame a node, and whether there may be more of them: not all are known unless every
 * source of pods has been read in full.
 *
 * @param shown what the scope shows
 */
export function countPodsOfNodes(
  { issues, uncounted }: EnvironmentHealth,
  shown: readonly GraphNode[],
  sources: readonly ViewSource[],
): void {
  const blaming = [...issues, ...uncounted].filter(({ node }) => node !== "");
  if (blaming.length === 0) return;
  const counts = new Map<string, number>();
  for (const { object } of shown) {
    const name = object === undefined ? "" : nodeNameOf(object);
    if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const ofPods = sources.filter(({ group, kind }) => group === PODS.group && kind === PODS.kind);
  const isAll = ofPods.length > 0 && ofPods.every(({ settled }) => settled === "live");
  for (const issue of blaming) {
    issue.pods = counts.get(issue.node) ?? 0;
    issue.morePods = !isAll;
  }
}
