import type { Source } from "@binnacle/proto/dashboard";
import type { LiveNode } from "./live-node.ts";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import { selectionOf } from "../address/url-state.ts";
import type { EnvironmentStore } from "./environment-store.ts";

/** What a selection names: a node of the view, one that has left, or nothing. */
export type SelectedNode =
  | { readonly kind: "live"; readonly node: LiveNode }
  | { readonly kind: "departed"; readonly node: LiveNode; readonly atMs: number }
  /** Its kind may not be read (any more): whether it is there is not known, and what was known is not shown. */
  | { readonly kind: "hidden" }
  | { readonly kind: "none" };

/** Finds what a selection names. Never another resource than that. */
export function selectedNode(store: Pick<EnvironmentStore, "nodes" | "departed" | "view">, selection: string): SelectedNode {
  const live = findSelected(store.nodes.values(), selection);
  if (live !== undefined) return { kind: "live", node: live };
  const [group, resource, namespace] = selection.split("/");
  const isOf = (source: Source): boolean =>
    source.group === (group === "core" ? "" : group) &&
    source.resource === resource &&
    (source.namespace === "" || source.namespace === namespace);
  if (store.view().sources.some((source) => isOf(source) && source.settled === SettledState.FORBIDDEN)) return { kind: "hidden" };
  const departed = store.departed(selection);
  return departed === undefined ? { kind: "none" } : { kind: "departed", ...departed };
}

/** The node of these that a selection names. */
export function findSelected(nodes: Iterable<LiveNode>, sel: string): LiveNode | undefined {
  if (sel === "") return undefined;
  // The name first: thousands are compared with every change, and few have this name.
  for (const node of nodes) if (node.ref !== undefined && sel.endsWith(node.ref.name) && selectionOf(node.ref) === sel) return node;
  return undefined;
}
