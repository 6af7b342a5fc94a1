import { KubeClientError, readText, type ByteBudget, type KubeTransport } from "@binnacle/environment-view";
import { parseJson } from "@binnacle/kube";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";

import type { KasAccess } from "../kas/kas-access.ts";
import { appliedObjectsOf, type ReportedObject } from "./applied-objects.ts";
import type { KeptProofs } from "./kept-proofs.ts";
import { detailsOf, syncsOf, UnreadableSyncs, type SyncList, type SyncRecord } from "./sync-record.ts";
import { fullReportOf, type FullSyncReport } from "./full-sync-report.ts";

const SYNCS = "/binnacle/v1/gitops/syncs";
/** 2,000 objects with long names and reasons weigh less. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Syncs of one agent whose objects are requested. */
const MAX_DETAILS = 10;

/** A viewer's way to kas. */
type KasRoute = Pick<KasAccess, "kas" | "reading">;

/** What kas lists of an agent's syncs. */
export type SyncListResponse =
  | ({
      readonly kind: "list";
      /** Names this state of the list; absent: kas cannot be waited for. */ readonly etag: string | undefined;
    } & SyncList)
  /** The list is what `If-None-Match` names. */
  | { readonly kind: "unchanged" }
  /** The viewer may not use the agent; kas does not support the endpoint. */
  | { readonly kind: "forbidden" | "unsupported" };

/** When the list is wanted. */
interface SyncListRequest {
  /** State of the list that is known already. */
  readonly etag?: string | undefined;
  /** With `etag`: how long kas waits for another state, in seconds. */
  readonly waitSeconds?: number;
}

/**
 * Requests the syncs as the viewer.
 *
 * @throws UnreadableSyncs when the response does not follow the contract
 * @throws KubeClientError when kas is unreachable, or sends more than is read
 */
export async function querySyncs(route: KasRoute, { etag, waitSeconds }: SyncListRequest, signal: AbortSignal): Promise<SyncListResponse> {
  const path = etag !== undefined && waitSeconds !== undefined ? `${SYNCS}?wait=${waitSeconds}` : SYNCS;
  const response = await request(route, { path, etag: waitSeconds === undefined ? undefined : etag }, signal);
  if (response.kind !== "content") return response;
  const list = syncsOf(response.content);
  const detailed = list.syncs.filter(isWorthAsking).slice(0, MAX_DETAILS);
  const details = new Map(await Promise.all(detailed.map(async (sync) => [sync, await withDetails(route, sync, signal)] as const)));
  return { kind: "list", ...list, syncs: list.syncs.map((sync) => details.get(sync) ?? sync), etag: response.etag };
}

function isWorthAsking({ state, failed, drifted }: SyncRecord): boolean {
  return failed + drifted > 0 || state === GitopsSyncState.APPLYING;
}

/**
 * Requests all that kas knows of a sync, for a viewer of whom we assert that he may read the manifests.
 *
 * @returns `undefined` while kas does not tell, or does not know the assertion
 */
export async function queryFullReport(
  route: { readonly kas: KubeTransport; readonly reading: ByteBudget },
  project: string,
  signal: AbortSignal,
): Promise<FullSyncReport | undefined> {
  const response = await request(route, { path: pathOfSync(project) }, signal);
  return response.kind === "content" ? fullReportOf(response.content, project) : undefined;
}

/** A sync without details is still a sync. */
async function withDetails(route: KasRoute, sync: SyncRecord, signal: AbortSignal): Promise<SyncRecord> {
  try {
    const response = await request(route, { path: pathOfSync(sync.project) }, signal);
    return response.kind === "content" ? { ...sync, details: detailsOf(response.content, sync) } : sync;
  } catch (error) {
    if (error instanceof KubeClientError || error instanceof UnreadableSyncs) return sync;
    throw error;
  }
}

/** Requests the objects of a sync as the viewer. @returns `undefined` while kas does not tell @throws as `querySyncs` */
export async function queryObjects(
  route: KasRoute,
  { sync, proofs }: { readonly sync: SyncRecord; readonly proofs: KeptProofs },
  signal: AbortSignal,
): Promise<readonly ReportedObject[] | undefined> {
  const response = await request(route, { path: pathOfSync(sync.project) }, signal);
  return response.kind === "content" ? appliedObjectsOf(response.content, sync, proofs) : undefined;
}

function pathOfSync(project: string): string {
  return `${SYNCS}?project=${encodeURIComponent(project)}`;
}

type Content =
  | { readonly kind: "content"; readonly content: unknown; readonly etag: string | undefined }
  | { readonly kind: "unchanged" | "forbidden" | "unsupported" };

async function request(
  route: KasRoute,
  { path, etag }: { readonly path: string; readonly etag?: string | undefined },
  signal: AbortSignal,
): Promise<Content> {
  let response: Awaited<ReturnType<KasRoute["kas"]["request"]>>;
  try {
    const condition = etag === undefined ? {} : { ifNoneMatch: etag };
    response = await route.kas.request({ method: "GET", path, accept: "application/json", ...condition }, signal);
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    const kind = error.failure === "unauthorized" ? "forbidden" : kindOf(error.status?.code);
    if (kind === undefined) throw error;
    return { kind };
  }
  try {
    const kind = kindOf(response.status);
    if (kind !== undefined) return { kind };
    if (response.status !== 200) throw new UnreadableSyncs(`the response has status ${response.status}`);
    const content = parseJson(await readText(response, { mostBytes: MAX_BYTES, budget: route.reading }));
    return { kind: "content", content, etag: response.header("etag") };
  } finally {
    response.close();
  }
}

/** An older kas sends the request on to the cluster, which answers 404. */
function kindOf(status: number | undefined): "unchanged" | "forbidden" | "unsupported" | undefined {
  if (status === 304) return "unchanged";
  if (status === 401 || status === 403) return "forbidden";
  return status === 404 ? "unsupported" : undefined;
}
