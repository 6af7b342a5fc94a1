import { health } from "@binnacle/health";
import { fieldsAt, groupOf, isFields, isKubeObject, listAt, objectPath, textAt } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";

import { isOk, reasonOf, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import type { ServedKinds } from "../cluster/served-kinds.ts";
import { isDefinition } from "../manifests/place-manifests.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { concurrently } from "./concurrently.ts";

const POLL = { initialMs: 1_000, maxMs: 15_000 };

/** What is waited with. */
export interface Waiting {
  readonly api: ClusterApi;
  readonly kinds: ServedKinds;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Ends the wait without an error. */
  readonly signal: AbortSignal;
}

/** Why an object is not ready, by manifest. */
export type NotReady = ReadonlyMap<PlacedManifest, string>;

/**
 * Waits until objects are well: Healthy, or of a kind without health; a CustomResourceDefinition until its kind is served.
 *
 * @returns those that are not when the time is up or the signal aborts
 */
export async function waitUntilReady(manifests: readonly PlacedManifest[], by: Waiting): Promise<NotReady> {
  const endMs = by.clock.now() + by.timeoutMs;
  const backoff = new Backoff(POLL);
  let waiting = manifests;
  for (;;) {
    const reasons = await concurrently(waiting, (manifest) => whyNotReady(manifest, by));
    const notReady = new Map(waiting.flatMap((manifest, index) => (reasons[index] ? [[manifest, reasons[index]] as const] : [])));
    if (notReady.size === 0 || by.signal.aborted || by.clock.now() >= endMs) return notReady;
    waiting = [...notReady.keys()];
    await sleep(by.clock, Math.min(backoff.nextMs(), endMs - by.clock.now()), by.signal);
  }
}

/** @returns an empty text for an object that is ready */
async function whyNotReady(manifest: PlacedManifest, by: Waiting): Promise<string> {
  const { api, clock, signal } = by;
  if (signal.aborted) return "not known";
  try {
    const answer = await api.call({ method: "GET", target: objectPath(manifest.kind, manifest.object.metadata), signal });
    if (!isOk(answer) || !isKubeObject(answer.value)) return reasonOf(answer);
    if (isDefinition(answer.value)) return await whyNotServed(answer.value, by);
    const result = health(answer.value, { now: new Date(clock.now()) });
    return result === null || result.status === "Healthy" ? "" : `${result.status}: ${result.reason}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function whyNotServed(definition: Readonly<Record<string, unknown>>, { kinds, signal }: Waiting): Promise<string> {
  const conditions = listAt(definition["status"], "conditions");
  const established = conditions.some((one) => textAt(one, "type") === "Established" && textAt(one, "status") === "True");
  if (!established) return "the definition is not established";
  const { spec } = definition;
  const kind = textAt(fieldsAt(spec, "names"), "kind");
  kinds.forget();
  for (const version of listAt(spec, "versions").filter((one) => isFields(one) && one["served"] === true)) {
    const apiVersion = `${textAt(spec, "group")}/${textAt(version, "name")}`;
    if ((await kinds.find({ apiVersion, kind }, signal)) === undefined) return `${kind} of ${groupOf(apiVersion)} is not served`;
  }
  return "";
}
