import { changeOf, type ViewScope } from "@binnacle/environment-view";
import { Presence, type Node } from "@binnacle/proto/dashboard";
import { settlesWithin, type Clock } from "@binnacle/rpc";

import { Signal } from "../base/signal.ts";
import type { ClusterIdentity } from "../kas/cluster-identity.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { ViewRegistry } from "../shared-views/view-registry.ts";

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
  const membership = registry.join(access, identity, scope);
  const wake = new Signal();
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  until.addEventListener("abort", wake.raise, { once: true });
  const subscription = membership.view.open(wake.raise);
  const nodes = new Map<number, Node>();
  let isComplete = false;
  const read = async (): Promise<void> => {
    while (!until.aborted && !isComplete) {
      const message = subscription.take();
      if (message === undefined) {
        await wake.wait();
        continue;
      }
      const change = changeOf(message);
      if (change.reset) nodes.clear();
      for (const id of change.removedNodes) nodes.delete(id);
      for (const node of change.nodes) nodes.set(node.id, node);
      isComplete = message.complete === true;
    }
  };
  try {
    await settlesWithin(read(), limitMs, clock);
  } finally {
    over.abort();
    subscription.close();
    membership.leave();
  }
  return { resources: resourcesOf([...nodes.values()]), isComplete };
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
