import type { KubeTransport } from "@binnacle/environment-view/transport";
import type { LogPosition } from "@binnacle/proto/dashboard-logs";
import type { Clock } from "@binnacle/rpc";
import type { Words } from "@binnacle/words";

import type { Expressions } from "./expressions/expressions.ts";
import type { LogFilterInit } from "./filter/filter.ts";

/** Pods of one namespace: one by name, or those that a label selector matches; with neither all of the namespace. */
export interface LogTarget {
  readonly namespace: string;
  readonly pod?: string;
  readonly labelSelector?: string;
}

/** Which logs are read, and from where on. */
export interface LogsQuery {
  readonly targets: readonly LogTarget[];
  /** Names of containers; none: all. */
  readonly containers: readonly string[];
  /** The instance before the last restart instead of the present one. */
  readonly previous: boolean;
  readonly follow: boolean;
  readonly sinceNanos?: bigint;
  /** Not with `follow`. */
  readonly untilNanos?: bigint;
  readonly tailLines?: number;
  readonly filter: LogFilterInit;
  readonly positions: readonly LogPosition[];
}

/** Bounds of one read. */
export interface LogsLimits {
  /** Containers that are read at a time. */
  readonly reads: number;
  /** Containers that are listed. */
  readonly sources: number;
  /** Bytes of a line that are retained. */
  readonly lineBytes: number;
  /** Bytes of the lines of one message. */
  readonly batchBytes: number;
}

/** What reading works with. */
export interface LogsReader {
  /** The Kubernetes API as the viewer. */
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly limits: LogsLimits;
  /** Runs the expression of the filter. */
  readonly expressions: Expressions;
  /** Value of the message's field. Default: false. */
  readonly isReadByAgent?: boolean;
  /** Words of containers that are over `limits.reads`. Default: the number. */
  readonly overLimit?: Words;
  /** Waits between attempts; 0 ≤ random() < 1. A test passes a fixed one. */
  readonly random?: () => number;
}
