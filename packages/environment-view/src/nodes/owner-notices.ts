import type { GraphNode, OwnerWarning } from "@binnacle/graph";
import type { HealthNotice } from "@binnacle/health";
import { words } from "@binnacle/words";

/**
 * What is to be said of owner references of a node that do not count.
 *
 * @param nodeOf the node of an id
 */
export function ownerNotices(
  { kind, name }: GraphNode,
  warnings: readonly OwnerWarning[],
  nodeOf: (id: string) => GraphNode | undefined,
): HealthNotice[] {
  return warnings.map((warning) => {
    if (warning.problem === "ring") {
      const facts = { kind, name, count: warning.ids.length };
      return { reason: "OwnerRing", message: words("ownership/ring", facts), nextStep: words("ownership/ring/next", facts) };
    }
    const owner = nodeOf(warning.ids[1]);
    const facts = { kind, name, owner: `${owner?.kind ?? ""} ${owner?.name ?? ""}`, namespace: owner?.namespace ?? "" };
    return {
      reason: "OwnerInOtherNamespace",
      message: words("ownership/other-namespace", facts),
      nextStep: words("ownership/other-namespace/next", facts),
    };
  });
}
