import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import type { Words } from "@binnacle/words";

import type { Deployers } from "../scope/deployer.ts";
import type { ViewConnection } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import type { RunningImages } from "./node-counts.ts";

/** How a summary is kept up to date: as it happens, or by a look every so often. */
export type SummaryFreshness = { readonly kind: "live" } | { readonly kind: "sampled"; readonly everyMs: number };

/** What is known of a scope. */
export interface SummaryFacts {
  /** The roll-up of the environment page, with the causes. */
  readonly health: EnvironmentHealth;
  readonly workloads: number;
  readonly workloadsReady: number;
  /** Of those that are not ready the suspended ones. */
  readonly workloadsSuspended: number;
  /** Those that should run and have no ready replica; `undefined` when the source of the counts does not report it. */
  readonly workloadsDown?: number | undefined;
  /** Tools that mark objects of the scope as their own; `undefined`: not known. */
  readonly deployers?: Deployers | undefined;
  /** Images that its workloads run; `undefined`: not known. */
  readonly images?: RunningImages | undefined;
  /** Newest change in the scope, milliseconds since the epoch; 0 when nothing tells. */
  readonly changedMs: number;
  /** It was so at this moment, milliseconds since the epoch. */
  readonly asOfMs: number;
  readonly freshness: SummaryFreshness;
  /** Only pods and what makes them were looked at: nothing else of the scope is judged. */
  readonly workloadsOnly: boolean;
}

/**
 * Why nothing, or nothing newer, is known.
 * - `not_looked_at`: its turn has not come.
 * - `forbidden`: this identity may read nothing of it.
 * - `failed`: the API server answered with an error.
 * - `too_large`: more than is read only to be counted; the environment's own page shows it.
 */
export interface SummaryGap {
  readonly kind: "not_looked_at" | "forbidden" | "failed" | "too_large";
  /** Why, for people; absent when its kind says all. */
  readonly words?: Words;
}

/** One line about one scope. */
export interface Summary {
  readonly scope: ViewScope;
  /** The last that is known; absent: not known yet, which is never the same as "nothing is wrong". */
  readonly known?: SummaryFacts;
  /** Absent when all is known. */
  readonly gap?: SummaryGap;
}

/** Scopes whose last look has brought nothing new. */
export interface SummariesSeen {
  readonly asOfMs: number;
  readonly scopes: readonly ViewScope[];
}

/** What has changed since the last time. */
export interface SummaryChange {
  readonly summaries: readonly Summary[];
  readonly seen: readonly SummariesSeen[];
  /** How the agent is connected; absent: as it was. */
  readonly connection?: ViewConnection;
}

/** What a consumer wants to know. */
export interface SummaryRequest {
  readonly scopes: readonly ViewScope[];
  /** Those of them that are on a screen: they come first where not all can be first. */
  readonly visible?: readonly ViewScope[];
}

/** A consumer's side. */
export interface SummarySubscription {
  /** What has changed, all in one; `undefined` while nothing has. The first time: every scope, known or not. */
  take(): SummaryChange | undefined;
  /** Wants other scopes from now on. All that are new here are sent. */
  want(request: SummaryRequest): void;
  /** Call it once, at the end. */
  close(): void;
}

/**
 * Summaries of many scopes of one agent, as one identity. The implementation is open: today it is this process, by samples and by the views
 * that it has open.
 */
export interface SummarySource {
  /** `ready` is called when there is something to take, once until it is taken, never inside another call. */
  open(request: SummaryRequest, ready: () => void): SummarySubscription;
}

/** Names a scope. */
export function scopeKeyOf({ namespaces, labels, inventory, rules }: ViewScope): string {
  return JSON.stringify([namespaces.toSorted(), labels ?? null, inventory ?? null, ...(rules === undefined ? [] : [rules.id])]);
}
