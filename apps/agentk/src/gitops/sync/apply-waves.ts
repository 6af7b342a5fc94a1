import { encodeKey } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { ClusterApi } from "../../cluster-access/cluster-api.ts";
import type { ServedKinds } from "../cluster/served-kinds.ts";
import { dependenciesOf, nameOf } from "../manifests/depends-on.ts";
import { isDefinition } from "../manifests/place-manifests.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { Turns } from "../manifests/turns.ts";
import { applyObject, type Applying } from "./apply-object.ts";
import { concurrently } from "./concurrently.ts";
import { resultOf, type ObjectResult } from "./object-result.ts";
import type { SyncObserver } from "./sync-observer.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

/** What waves are applied with. */
export interface ApplyingWaves {
  readonly api: ClusterApi;
  readonly kinds: ServedKinds;
  readonly clock: Clock;
  readonly applying: Applying;
  /** How long a wave is waited for. */
  readonly timeoutMs: number;
  readonly turns: Turns;
  readonly signal: AbortSignal;
  readonly superseded: AbortSignal;
  readonly observer?: Pick<SyncObserver, "settled">;
}

/** What became of the objects of all waves. */
export interface AppliedWaves {
  readonly results: readonly ObjectResult[];
  readonly waves: number;
  /** A newer commit came while a wave was waited for; the waves after it were not applied. */
  readonly interrupted: boolean;
}

/**
 * Applies wave after wave. Between two it waits for the definitions of kinds, and for objects that others declare as dependencies; what depends on
 * an object that failed, or does not get well in time, fails too and is not applied. One refused object leaves the others alone.
 */
export async function applyWaves(waves: readonly (readonly PlacedManifest[])[], by: ApplyingWaves): Promise<AppliedWaves> {
  const needed = new Set<string>();
  for await (const { object } of by.turns.over(waves.flat()))
    for (const key of dependenciesOf(object)) needed.add(typeof key === "string" ? key : encodeKey(key));
  /** Why objects are not there for others, by key. */
  const lost = new Map<string, string>();
  const results: ObjectResult[] = [];
  for (const [index, wave] of waves.entries()) {
    const applied = await concurrently(wave, async (manifest) => {
      const reason = whyLost(manifest, lost);
      const result = reason === undefined ? await applyObject(manifest, by.applying) : resultOf(manifest, "failed", { reason });
      by.observer?.settled(result);
      return result;
    });
    for await (const result of by.turns.over(applied)) {
      results.push(result);
      if (result.outcome === "failed" || result.outcome === "drifted") lost.set(encodeKey(result.key), "was not applied");
    }
    if (index === waves.length - 1) break;
    const awaited: PlacedManifest[] = [];
    for await (const manifest of by.turns.over(wave)) {
      const key = encodeKey(manifest.key);
      if (!lost.has(key) && (isDefinition(manifest.object) || needed.has(key))) awaited.push(manifest);
    }
    const patience = AbortSignal.any([by.signal, by.superseded]);
    for (const [{ key }, reason] of await waitUntilReady(awaited, { ...by, signal: patience }))
      lost.set(encodeKey(key), `is not ready (${reason})`);
    if (by.superseded.aborted) return { results, waves: index + 1, interrupted: true };
  }
  return { results, waves: waves.length, interrupted: false };
}

function whyLost({ object }: PlacedManifest, lost: ReadonlyMap<string, string>): string | undefined {
  for (const key of dependenciesOf(object)) {
    const reason = typeof key === "string" ? undefined : lost.get(encodeKey(key));
    if (typeof key !== "string" && reason !== undefined) return `depends on ${nameOf(key)}, which ${reason}`;
  }
  return undefined;
}
