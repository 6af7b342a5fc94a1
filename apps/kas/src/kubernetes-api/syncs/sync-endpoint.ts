import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { clone, create, toJsonString } from "@bufbuild/protobuf";
import {
  GetSyncResponseSchema,
  GitopsObjectSchema,
  GitopsSyncSchema,
  GitopsSyncState,
  ListSyncsResponseSchema,
  type GetSyncResponse,
  type GitopsObject,
  type GitopsSync,
} from "@binnacle/proto/kas-gitops";
import { Fault, sleep, type Clock } from "@binnacle/rpc";

import type { SyncStore } from "../../gitops/sync-store.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import { READER_HEADER, type ReaderGate, type ReadManifests } from "./reader-gate.ts";
import { parseTarget } from "../access/proxy-target.ts";

/** Longest wait for another list: access is checked when a request begins. */
const MAX_WAIT_S = 30;
const MAX_WAITING = 2_000;

/** What the endpoint needs. */
export interface SyncEndpointOptions {
  readonly callers: Pick<CallerAccess, "handle" | "access">;
  readonly store: Pick<SyncStore, "list" | "get" | "namedProjects" | "onChange">;
  readonly clock: Clock;
  /** Requests that wait at a time in this process: beyond that the list is answered at once. Default: 2,000. */
  readonly maxWaiting?: number;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** Absent: no caller is known to read manifests. */
  readonly readers?: ReaderGate | undefined;
}

/**
 * `GET <prefix>binnacle/v1/gitops/syncs` of the Kubernetes proxy: the reported syncs of an agent, for users of the agent, with the credentials
 * of any request to the cluster. With `?project=` one of them and its objects. JSON of `kas.v1.ListSyncsResponse` and `GetSyncResponse`,
 * without what is only in the repository, because kas cannot check whether the caller may read the repository. For one project the dashboard
 * may assert this right (`READER_HEADER`): then nothing is left out. The list has an `ETag`: with `?wait=<seconds>` and `If-None-Match` the
 * response waits, up to half a minute, until the list changes, and is 304 when it stays the same.
 */
export class SyncEndpoint {
  readonly #options: SyncEndpointOptions;
  readonly #path: string;
  #waiting = 0;

  constructor(options: SyncEndpointOptions) {
    this.#options = options;
    this.#path = `${options.pathPrefix}binnacle/v1/gitops/syncs`;
  }

  /** Answers a request that is for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#path) !== true) return false;
    const [path, query] = request.url.split("?", 2);
    if (path !== this.#path || request.method !== "GET") return false;
    const { callers, pathPrefix } = this.#options;
    const parameters = new URLSearchParams(query);
    const project = parameters.get("project");
    const waitMs = Math.min(Math.max(0, Number(parameters.get("wait") ?? 0) || 0), MAX_WAIT_S) * 1_000;
    void callers.handle(request, response, async (exchange) => {
      const { headers, audit } = exchange;
      const action = { verb: project === null ? "list" : "get", apiGroup: "binnacle", resource: "syncs" };
      const { access } = await callers.access(exchange, parseTarget(request.url ?? "", pathPrefix), action);
      const isReader = project !== null && (await this.#isReader(request, { agentId: access.agentId, project }));
      if (project === null) {
        const known = request.headers["if-none-match"];
        const list = await this.#listOtherThan(known, { agentId: access.agentId, waitMs, signal: exchange.signal });
        const tags = { ...headers, etag: list.etag, "cache-control": "no-store" };
        const isSame = list.etag === known;
        audit.counts({ bytesIn: 0, bytesOut: isSame ? 0 : Buffer.byteLength(list.body) });
        if (isSame) response.writeHead(304, tags).end();
        else response.writeHead(200, { ...tags, "content-type": "application/json" }).end(list.body);
        return;
      }
      const body = await this.#one(access.agentId, { project, isReader });
      audit.counts({ bytesIn: 0, bytesOut: Buffer.byteLength(body) });
      response.writeHead(200, { ...headers, "content-type": "application/json", "cache-control": "no-store" });
      response.end(body);
    }); // never rejects
    return true;
  }

  /** @throws Fault `jwt_invalid` */
  async #isReader({ headers }: IncomingMessage, of: ReadManifests): Promise<boolean> {
    const { readers } = this.#options;
    const token = headers[READER_HEADER];
    if (readers === undefined || typeof token !== "string") return false;
    await readers.check(token, of);
    return true;
  }

  /** The list once it is another one than the caller knows, or what it is when the time is over. */
  async #listOtherThan(
    etag: string | undefined,
    { agentId, waitMs, signal }: { readonly agentId: bigint; readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<SyncList> {
    const { store, clock, maxWaiting = MAX_WAITING } = this.#options;
    if (waitMs === 0 || this.#waiting >= maxWaiting) return this.#list(agentId);
    this.#waiting += 1;
    let changed = new AbortController();
    const unsubscribe = store.onChange(agentId, () => changed.abort());
    const over = new AbortController();
    const cancel = clock.after(waitMs, () => over.abort());
    try {
      for (;;) {
        changed = new AbortController();
        const list = await this.#list(agentId);
        if (list.etag !== etag || over.signal.aborted || signal.aborted) return list;
        await sleep(clock, waitMs, AbortSignal.any([signal, over.signal, changed.signal]));
      }
    } finally {
      this.#waiting -= 1;
      cancel();
      unsubscribe();
    }
  }

  async #list(agentId: bigint): Promise<SyncList> {
    const { store } = this.#options;
    const [reported, projects] = await Promise.all([store.list(agentId), store.namedProjects(agentId)]);
    // A project that is not in the configuration any more is not applied any more.
    const syncs = reported.filter(({ project }) => projects === undefined || projects.includes(project));
    const complete = projects?.every((each) => syncs.some(({ project }) => project === each)) ?? false;
    const response = create(ListSyncsResponseSchema, { syncs: syncs.map(redactedSync), complete });
    const body = toJsonString(ListSyncsResponseSchema, response);
    return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
  }

  async #one(agentId: bigint, { project, isReader }: { readonly project: string; readonly isReader: boolean }): Promise<string> {
    const found = await this.#options.store.get(agentId, project);
    if (found === undefined) throw new Fault("not_found", "nothing is known of such a sync");
    return toJsonString(GetSyncResponseSchema, isReader ? found : create(GetSyncResponseSchema, redactedDetails(found)));
  }
}

/** The list as it is sent, and what names this state of it. */
interface SyncList {
  readonly body: string;
  readonly etag: string;
}

/** As much of a commit's id as people read. */
const SHORT_ID = 8;

/** A sync for a caller whose right to read the manifests is not known: without anything that is only in the repository. */
function redactedSync(sync: GitopsSync): GitopsSync {
  const redacted = clone(GitopsSyncSchema, sync);
  redacted.commitId = sync.commitId.slice(0, SHORT_ID);
  redacted.appliedCommitId = sync.appliedCommitId.slice(0, SHORT_ID);
  redacted.newestCommitId = sync.newestCommitId.slice(0, SHORT_ID);
  redacted.objectsCommitId = sync.objectsCommitId.slice(0, SHORT_ID);
  redacted.waitingAuthors = [];
  redacted.subject = "";
  redacted.author = "";
  redacted.globs = [];
  redacted.branch = "";
  // What is wrong with the files quotes them.
  if (sync.state === GitopsSyncState.INVALID) redacted.reason = "";
  // The whole id is what consents to a prune.
  redacted.pruneHeld = sync.commitId === "" ? sync.pruneHeld : sync.pruneHeld.replaceAll(sync.commitId, redacted.commitId);
  return redacted;
}

/** Like `redactedSync`, with the objects, which name no file. */
function redactedDetails({ sync, objects }: GetSyncResponse): { readonly sync?: GitopsSync; readonly objects: GitopsObject[] } {
  // A reason may name the file of another object: of one that is waited for, or has the same name.
  const files = new Set(objects.map(({ source }) => source).filter((source) => source !== ""));
  return { ...(sync && { sync: redactedSync(sync) }), objects: objects.map((object) => redactedObject(object, [...files])) };
}

function redactedObject(object: GitopsObject, files: readonly string[]): GitopsObject {
  const redacted = clone(GitopsObjectSchema, object);
  redacted.source = "";
  redacted.line = 0;
  redacted.fieldLine = 0;
  if (files.some((file) => object.reason.includes(file))) redacted.reason = "";
  return redacted;
}
