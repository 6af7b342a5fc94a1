import { Presence } from "@binnacle/proto/dashboard-enums";
import { words, type FactValue } from "@binnacle/words";
import type { LiveNode } from "../graph/live-node.ts";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { messageText, tLater } from "../text/messages.ts";
import { isProblem, statusOf, wordOf } from "../health/health-status.ts";
import type { Card } from "../layout/card.ts";
import { titleOfFold } from "../layout/fold-title.ts";

/** How a screen reader calls a node: "Deployment web in production-ns, Degraded, ImagePullBackOff: …, 2/3 ready, 1 notice, 2 lines in, 1 out". */
export function nameOfNode(node: LiveNode, lines = ""): string {
  const ref = node.ref;
  const [kind, name, namespace] = [ref?.kind, ref?.name, ref?.namespace].map((part) => drawnName(part ?? ""));
  const what = words("resource-graph/named", { kind, name, namespace });
  if (node.presence === Presence.MISSING) return join([tLater("resource-graph/card-missing", { what }), lines]);
  if (node.presence === Presence.NOT_VISIBLE) return join([tLater("resource-graph/named-not-visible", { what }), lines]);
  const health = node.health;
  const reason = [health?.reason, messageText(health?.words)].filter((part) => part !== undefined && part !== "").join(": ");
  return join([what, wordOf(statusOf(node)), reason, messageText(node.factWords), noticesWords(node), lines]);
}

function join(parts: readonly FactValue[]): string {
  return tLater("resource-graph/card", { parts });
}

/** "1 notice", "2 notices"; empty without any. */
export function noticesWords(node: Pick<LiveNode, "notices">): string {
  const count = node.notices.length;
  return count === 0 ? "" : tLater("resource-graph/notices", { count });
}

/** How a fold is called: "12 pods of ReplicaSet web-7d9 in production-ns, folded: 11 Healthy, 1 Degraded", and what is worst below them. */
export function nameOfFold(card: Card): string {
  const counts = card.counts.map(([status, count]) => `${count} ${wordOf(status)}`).join(", ");
  return tLater("resource-graph/folded", {
    title: titleOfFold(card),
    namespace: card.namespace,
    counts,
    worst: isProblem(card.worstBelow) ? wordOf(card.worstBelow) : undefined,
  });
}
