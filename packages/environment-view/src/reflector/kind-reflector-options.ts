import type { KubeObject, ResourceKind, StringPool } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import type { Words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { KubeClient } from "../base/kube-client.ts";
import type { SettledState, ViewStaleness } from "../stream/view-model.ts";
import type { WatchClaim } from "../limits/watch-budget.ts";
import type { ConnectionMonitor } from "./connection-monitor.ts";
import type { Semaphore } from "../limits/semaphore.ts";
import type { Arrival } from "../objects/sighting.ts";

/** Where the objects of a kind go. */
interface KindTarget {
  /**
   * These are all objects of the kind: what is not among them is gone.
   *
   * @param wasWhole all there is was shown before, and is now: nothing of it only came into sight or left it
   */
  replace(objects: readonly KubeObject[], wasWhole: boolean): void;
  upsert(object: KubeObject, arrival: Arrival): void;
  remove(object: KubeObject, arrival: Arrival): void;
  /** The state of the source has changed. */
  changed(): void;
}

/** What a source works with. */
export interface KindReflectorOptions {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly monitor: ConnectionMonitor;
  readonly semaphore: Semaphore;
  readonly target: KindTarget;
  readonly metadataOnly: boolean;
  /** What stays of an object; the pool shares equal texts between those of the source. */
  readonly keep: (object: KubeObject, texts: StringPool) => KubeObject;
  /** List at once; otherwise only after a probe has found an object. */
  readonly eager: boolean;
  /** The place for its watch; while it has none the kind is listed again and again. Its creator closes it. */
  readonly watch: WatchClaim;
  /** How long a list stands for a watch that the agent does not carry. */
  readonly sampleMs: () => number;
  readonly maxObjects: number;
  /** The kind's own part of the view's budget, for what is kept of its objects; the view closes it. */
  readonly budget: ByteBudget;
  /** What is remembered beside an object that is kept, in bytes. Default: nothing. */
  readonly bytesBeside?: (object: KubeObject) => number;
  readonly random?: () => number;
}

/** How well a kind is seen. */
export interface KindReflectorState {
  /** The last result of the API server; absent: none yet. A broken connection and a failed request leave it. */
  readonly settled?: SettledState;
  /** Absent: what is settled is current. */
  readonly stale?: ViewStaleness;
  /** When it was settled, in milliseconds since the epoch. */
  readonly asOfMs?: number;
  /** Why it is not whole, for people. */
  readonly words?: Words;
  readonly retryAtMs?: number;
  /** Objects that exist, when truncated. */
  readonly total: number;
}
