import { Presence } from "@binnacle/proto/dashboard-enums";
import { said, sayLater } from "../../../ui/said.ts";
import type { StateLook } from "../../../ui/state-glyph.tsx";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import { lookOf, statusOf } from "../../live/health-status.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { referrersOf } from "./referrers.ts";

/** Look of a card: what may not be seen is never coloured by a state. */
export function lookOfNode(node: LiveNode): StateLook {
  return node.presence === Presence.NOT_VISIBLE ? "locked" : lookOf(statusOf(node));
}

/** The one fact below its name. */
export function factOf(node: LiveNode): string {
  if (node.presence === Presence.MISSING) return sayLater("resource-graph/does-not-exist");
  if (node.presence === Presence.NOT_VISIBLE) return sayLater("resource-graph/card-not-visible");
  return said(node.factWords);
}

/** The reason on degraded cards, and on missing ones who refers to them. */
export function stripOf(node: LiveNode, store: EnvironmentStore): string {
  if (node.presence === Presence.MISSING) return sayLater("resource-graph/referenced-by", { referrers: referrersOf(node.id, store) });
  const look = lookOfNode(node);
  return look === "degraded" || look === "unknown" ? (node.health?.reason ?? "") : "";
}
