import type { IncomingMessage, ServerResponse } from "node:http";

import { create, toJsonString } from "@bufbuild/protobuf";
import { GetSyncResponseSchema, ListSyncsResponseSchema } from "@binnacle/proto/kas-gitops";
import { Fault } from "@binnacle/rpc";

import { redactedDetails, redactedSync } from "../gitops/redacted-sync.ts";
import type { SyncStore } from "../gitops/sync-store.ts";
import type { KubernetesProxy } from "./kubernetes-proxy.ts";
import { READER_HEADER, type ReaderGate, type ReadManifests } from "./reader-gate.ts";
import { parseTarget } from "./proxy-target.ts";

/** What tells people of syncs. */
export interface SyncEndpointOptions {
  readonly proxy: KubernetesProxy;
  readonly store: Pick<SyncStore, "list" | "get">;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** Absent: nobody is known to read manifests. */
  readonly readers?: ReaderGate | undefined;
}

/**
 * `GET <prefix>binnacle/v1/gitops/syncs` of the Kubernetes proxy: what the agent has reported of its syncs, for whoever may use the agent, with
 * the credentials of any request to the cluster. With `?project=` one of them and its objects. JSON of `kas.v1.ListSyncsResponse` and
 * `GetSyncResponse`, without what stands in the repository alone: whether the caller may read that, kas cannot ask. Of one project the dashboard
 * may say so (`READER_HEADER`): then nothing is left out.
 */
export class SyncEndpoint {
  readonly #options: SyncEndpointOptions;
  readonly #path: string;

  constructor(options: SyncEndpointOptions) {
    this.#options = options;
    this.#path = `${options.pathPrefix}binnacle/v1/gitops/syncs`;
  }

  /** Answers a request that is for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#path) !== true) return false;
    const [path, query] = request.url.split("?", 2);
    if (path !== this.#path || request.method !== "GET") return false;
    const { proxy, pathPrefix } = this.#options;
    const project = new URLSearchParams(query).get("project");
    void proxy.handle(request, response, async (exchange) => {
      const { headers, audit } = exchange;
      const action = { verb: project === null ? "list" : "get", apiGroup: "binnacle", resource: "syncs" };
      const { access } = await proxy.access(exchange, parseTarget(request.url ?? "", pathPrefix), action);
      const isReader = project !== null && (await this.#isReader(request, { agentId: access.agentId, project }));
      const body = await this.#said(access.agentId, { project, isReader });
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

  async #said(agentId: bigint, { project, isReader }: { readonly project: string | null; readonly isReader: boolean }): Promise<string> {
    const { store } = this.#options;
    if (project === null) {
      const syncs = await store.list(agentId);
      return toJsonString(ListSyncsResponseSchema, create(ListSyncsResponseSchema, { syncs: syncs.map(redactedSync) }));
    }
    const found = await store.get(agentId, project);
    if (found === undefined) throw new Fault("not_found", "nothing is known of such a sync");
    return toJsonString(GetSyncResponseSchema, isReader ? found : create(GetSyncResponseSchema, redactedDetails(found)));
  }
}
