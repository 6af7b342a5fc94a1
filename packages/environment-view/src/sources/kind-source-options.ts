import type { KubeObject, ResourceKind, StringPool } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { ByteBudget } from "../byte-budget.ts";
import type { KubeClient } from "../kube-client.ts";
import type { SourceStateName } from "../view-model.ts";
import type { ConnectionMonitor } from "./connection-monitor.ts";
import type { Lanes } from "./lanes.ts";

/** Where the objects of a kind go. */
interface KindTarget {
  /** These are all objects of the kind: what is not among them is gone. */
  replace(objects: readonly KubeObject[]): void;
  upsert(object: KubeObject): void;
  remove(object: KubeObject): void;
  /** The state of the source has changed. */
  changed(): void;
}

/** What a source works with. */
export interface KindSourceOptions {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly monitor: ConnectionMonitor;
  readonly lanes: Lanes;
  readonly target: KindTarget;
  readonly metadataOnly: boolean;
  /** What stays of an object; the pool shares equal texts between those of the source. */
  readonly keep: (object: KubeObject, texts: StringPool) => KubeObject;
  /** List at once; otherwise only after a probe has found an object. */
  readonly eager: boolean;
  /** A watch may be opened; otherwise the kind is listed again every minute. */
  readonly watched: () => boolean;
  readonly maxObjects: number;
  /** The kind's own part of the view's budget, for what is kept of its objects; the view closes it. */
  readonly budget: ByteBudget;
  readonly random?: () => number;
}

/** How well a kind is seen. */
export interface KindSourceState {
  readonly name: SourceStateName;
  readonly asOfMs?: number;
  readonly message: string;
  readonly retryAtMs?: number;
  /** Objects that exist, when truncated. */
  readonly total: number;
}
