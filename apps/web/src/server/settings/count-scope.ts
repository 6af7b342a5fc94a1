import { changeOf, type ViewScope } from "@binnacle/environment-view";
import { Presence, type Node } from "@binnacle/proto/dashboard";
import { settlesWithin, type Clock } from "@binnacle/rpc";

import { Signal } from "../base/signal.ts";
import type { ClusterIdentity } from "../kas/cluster-identity.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { ViewMembership, ViewRegistry } from "../shared-views/view-registry.ts";

/** Whether a view was replaced is looked at as often. */
const REPLACED_AFTER_MS = 250;

/** What scopes are counted with. */
export interface CountContext {
  readonly clock: Clock;
  readonly registry: Pick<ViewRegistry, "join">;
}

/** Whose view of a cluster. */
export interface CountingViewer {
  readonly access: KasAccess;
  readonly identity: ClusterIdentity | undefined;
}

/** Resources of a scope, as far as they are known. */
export interface CountedScope {
  /** By a name that is equal in every scope of the cluster. */
  readonly resources: ReadonlyMap<string, { readonly group: string; readonly kind: string; readonly namespace: string }>;
  /** Every kind has been read once. */
  readonly isComplete: boolean;
}

/**
 * Opens a scope as a page would, and counts what it shows by itself: objects in namespaces. It is a scope of the viewer's own view, within
 * the budget of the agent's watches, and lingers as after a page.
 */
export async function countScope(
  { clock, registry }: CountContext,
  { access, identity, scope }: CountingViewer & { readonly scope: ViewScope },
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<CountedScope> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const counted = new Counted();
  const count = async (): Promise<void> => {
    // A view that is made in another way from now on, here instead of by the agent, is joined again.
    while (!until.aborted && !counted.isComplete)
      await countOnce({ clock, membership: registry.join(access, identity, scope), counted }, until);
  };
  try {
    await settlesWithin(count(), limitMs, clock);
  } finally {
    over.abort();
  }
  return { resources: resourcesOf([...counted.nodes.values()]), isComplete: counted.isComplete };
}

/** What has come of a scope. */
class Counted {
  readonly nodes = new Map<number, Node>();
  isComplete = false;
}

/** Reads a scope until it is complete, replaced, or `until` aborts. */
async function countOnce(
  { clock, membership, counted }: { readonly clock: Clock; readonly membership: ViewMembership; readonly counted: Counted },
  until: AbortSignal,
): Promise<void> {
  const wake = new Signal();
  until.addEventListener("abort", wake.raise, { once: true });
  const subscription = membership.view.open(wake.raise);
  try {
    while (!until.aborted && !counted.isComplete && !membership.isReplaced()) {
      const message = subscription.take();
      if (message === undefined) {
        // A view that is replaced wakes nothing.
        const cancel = clock.after(REPLACED_AFTER_MS, wake.raise);
        await wake.wait();
        cancel();
        continue;
      }
      const change = changeOf(message);
      if (change.reset) counted.nodes.clear();
      for (const id of change.removedNodes) counted.nodes.delete(id);
      for (const node of change.nodes) counted.nodes.set(node.id, node);
      if (message.complete !== undefined) counted.isComplete = message.complete;
    }
  } finally {
    until.removeEventListener("abort", wake.raise);
    subscription.close();
    membership.leave();
  }
}

function resourcesOf(nodes: readonly Node[]): CountedScope["resources"] {
  return new Map(
    nodes.flatMap(({ ref, presence }) => {
      if (ref === undefined || ref.namespace === "" || presence !== Presence.PRESENT) return [];
      const { group, kind, namespace, name } = ref;
      return [[[group, kind, namespace, name].join("\0"), { group, kind, namespace }] as const];
    }),
  );
}
