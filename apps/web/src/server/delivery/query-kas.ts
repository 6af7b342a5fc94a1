import { KubeClientError, readText, type ByteBudget, type KubeTransport } from "@binnacle/environment-view";
import { parseJson } from "@binnacle/kube";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";

import type { KasAccess } from "../upstream/kas-access.ts";
import { detailsOf, syncsOf, UnreadableSyncs, type SyncRecord } from "./sync-record.ts";
import { wholeOf, type WholeSync } from "./full-sync-report.ts";

const SYNCS = "/binnacle/v1/gitops/syncs";
/** 2,000 objects with long names and reasons weigh less. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Syncs of one agent whose objects are asked for. */
const MOST_DETAILS = 10;

/** A viewer's way to kas. */
type WayToKas = Pick<KasAccess, "kas" | "reading">;

/** What kas says of an agent's syncs, or that the viewer is told nothing: of an older kas, or without access. */
export type SyncsAnswer = { readonly kind: "told"; readonly syncs: readonly SyncRecord[] } | { readonly kind: "nothing" };

const NOTHING: SyncsAnswer = { kind: "nothing" };

/**
 * Asks kas as the viewer.
 *
 * @throws UnreadableSyncs when the answer is none of the contract
 * @throws KubeClientError when nobody answers, or more than is read
 */
export async function askKas(door: WayToKas, signal: AbortSignal): Promise<SyncsAnswer> {
  const answer = await ask(door, SYNCS, signal);
  if (answer === undefined) return NOTHING;
  const syncs = syncsOf(answer.said);
  const worth = syncs.filter(isWorthAsking).slice(0, MOST_DETAILS);
  const asked = new Map(await Promise.all(worth.map(async (sync) => [sync, await withDetails(door, sync, signal)] as const)));
  return { kind: "told", syncs: syncs.map((sync) => asked.get(sync) ?? sync) };
}

function isWorthAsking({ state, failed, drifted }: SyncRecord): boolean {
  return failed + drifted > 0 || state === GitopsSyncState.APPLYING;
}

/**
 * Asks kas for all that it knows of a sync, for somebody of whom we say that he may read the manifests.
 *
 * @returns `undefined` while kas does not tell, or has no ear for our word
 */
export async function askWhole(
  door: { readonly kas: KubeTransport; readonly reading: ByteBudget },
  project: string,
  signal: AbortSignal,
): Promise<WholeSync | undefined> {
  const answer = await ask(door, pathOfSync(project), signal);
  return answer && wholeOf(answer.said, project);
}

/** A sync whose objects nobody can tell is still a sync. */
async function withDetails(door: WayToKas, sync: SyncRecord, signal: AbortSignal): Promise<SyncRecord> {
  try {
    const answer = await ask(door, pathOfSync(sync.project), signal);
    return answer === undefined ? sync : { ...sync, details: detailsOf(answer.said, sync) };
  } catch (error) {
    if (error instanceof KubeClientError || error instanceof UnreadableSyncs) return sync;
    throw error;
  }
}

function pathOfSync(project: string): string {
  return `${SYNCS}?project=${encodeURIComponent(project)}`;
}

/** @returns `undefined` when kas tells the viewer nothing */
async function ask(door: WayToKas, path: string, signal: AbortSignal): Promise<{ readonly said: unknown } | undefined> {
  let response: Awaited<ReturnType<WayToKas["kas"]["request"]>>;
  try {
    response = await door.kas.request({ method: "GET", path, accept: "application/json" }, signal);
  } catch (error) {
    if (error instanceof KubeClientError && (error.failure === "unauthorized" || isTellingNothing(error.status?.code))) return undefined;
    throw error;
  }
  try {
    if (isTellingNothing(response.status)) return undefined;
    if (response.status !== 200) throw new UnreadableSyncs(`the answer has status ${response.status}`);
    return { said: parseJson(await readText(response, { mostBytes: MOST_BYTES, budget: door.reading })) };
  } finally {
    response.close();
  }
}

/** 404 is what an older kas says; who is refused is shown nothing. */
function isTellingNothing(status: number | undefined): boolean {
  return status === 401 || status === 403 || status === 404;
}
