import { Presence, type Node } from "@binnacle/proto/dashboard";
import { statusOf, wordOf } from "../live/health-status.ts";
import { pluralOfKind } from "../resource/kind-words.ts";
import type { Card } from "./layout/card.ts";

/** How a screen reader calls a node: "Deployment web in production-ns, Degraded, ImagePullBackOff: …, 2/3 ready, 1 notice". */
export function nameOfNode(node: Node): string {
  const ref = node.ref;
  const where = ref === undefined || ref.namespace === "" ? "" : ` in ${ref.namespace}`;
  const what = `${ref?.kind ?? ""} ${ref?.name ?? ""}${where}`;
  if (node.presence === Presence.MISSING) return `${what}, Missing, does not exist`;
  if (node.presence === Presence.NOT_VISIBLE) return `${what}, not visible to you`;
  const health = node.health;
  const reason = [health?.reason, health?.message].filter((part) => part !== undefined && part !== "").join(": ");
  return [what, wordOf(statusOf(node)), reason, node.fact, noticesWords(node)].filter((part) => part !== "").join(", ");
}

/** "1 notice", "2 notices"; empty without any. */
export function noticesWords(node: Pick<Node, "notices">): string {
  const count = node.notices.length;
  return count === 0 ? "" : `${count} ${count === 1 ? "notice" : "notices"}`;
}

/** How a fold is called: "48 pods, folded: 46 Healthy, 2 Progressing". */
export function nameOfFold(card: Card): string {
  const counts = card.counts.map(([status, count]) => `${count} ${wordOf(status)}`).join(", ");
  return `${titleOfFold(card)}${card.namespace === "" ? "" : ` in ${card.namespace}`}, folded: ${counts}`;
}

/** Title of a fold: "48 pods". */
export function titleOfFold(card: Card): string {
  return `${card.members.length} ${pluralOfKind(card.kind, card.id.startsWith("fold:old:"))}`;
}
