import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { createStatus } from "@binnacle/kube";

import { LogsQuerySchema, type LogsQuery } from "@binnacle/proto/kas-logs";
import { ViewSpecSchema, ViewSpecsSchema, type ViewSpec, type ViewSpecs } from "@binnacle/proto/kas-views";
import { fromBinary } from "@bufbuild/protobuf";

import type { StandInMainApplication } from "../../gitlab/testing/stand-in-main-application.ts";

interface OpenWatch {
  readonly response: ServerResponse;
  readonly username: string;
  readonly resource: string;
}

const PREFIX = "/k8s-proxy";
/** As `main_application.external_url` of `standInConfig` says. */
const MAIN_ORIGIN = "http://app.localhost:8080";
const KINDS = [
  { group: "", resource: "pods", kind: "Pod" },
  { group: "", resource: "secrets", kind: "Secret" },
  { group: "", resource: "events", kind: "Event" },
  { group: "apps", resource: "deployments", kind: "Deployment" },
];

/**
 * A stand-in for kas's k8s-proxy and the cluster behind it: credentials as in docs/design/contract.md, a handful of kinds, lists
 * and watches that the test feeds. Who a user is to the cluster is "gitlab:user:<username>".
 */
export class StandInKas {
  readonly requests: string[] = [];
  readonly hosts = new Set<string>();
  /** `X-Forwarded-For` of all requests; "" for those without. */
  readonly clients = new Set<string>();
  readonly watches = new Set<OpenWatch>();
  /** Ids of its agents; each has the same users and the same cluster. */
  readonly agents = new Set(["3"]);
  /** Users whom the agents' user_access covers. */
  readonly allowed = new Set<string>();
  /** What it serves; to be changed before anybody asks. */
  readonly kinds = [...KINDS];
  /** Objects by "resource/name". */
  readonly objects = new Map<string, Record<string, unknown>>();
  /** "<user> <method> <path>" of requests that bear `Kas-Proof`. */
  readonly proofs: string[] = [];
  /** How many watches the agent carries, sent in every answer while set, by which our kas is known; marked ones beyond are rejected. */
  watchLimit: number | undefined = 1_000;
  /** Goes with every answer. */
  readonly headers: Record<string, string> = {};
  /** Answers users who may use the agent instead of the handful of kinds; gets the cluster's path, and no byte of the body was read. */
  cluster: RequestListener | undefined;
  /** Takes upgraded connections of users who may use the agent; gets the cluster's path. Absent: there are none. */
  upgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
  /** Users may list all namespaces at once. */
  clusterWide = true;
  /** "<user> <namespace>" in which a user may list nothing. */
  readonly forbidden = new Set<string>();
  /** Namespaces in which no user may read a single object. */
  readonly closed = new Set<string>();
  /** Groups and extras of every user, as the cluster tells them. */
  groups: readonly string[] = ["gitlab:user"];
  extra: Readonly<Record<string, readonly string[]>> = {};
  /** Who everybody is to the cluster, when that is one and the same. */
  everybody: string | undefined;
  offline = false;
  /** Answers for the syncs of GitOps, by the query's project; absent: it is an older kas. */
  gitops: ((project: string | undefined, response: ServerResponse) => void) | undefined;
  /** Answers for the status of agents; absent: it is an older kas. */
  agentStatus:
    | ((
        request: { readonly assertion: string | string[] | undefined; readonly etag: string | undefined },
        response: ServerResponse,
      ) => void)
    | undefined;
  /** Answers for views that agents keep; absent: it is an older kas. */
  views: ((spec: ViewSpec, response: ServerResponse) => void) | undefined;
  /** The same for several over one answer. */
  manyViews: ((specs: ViewSpecs, response: ServerResponse) => void) | undefined;
  /** Answers for logs that agents read; absent: it is an older kas. */
  logs: ((query: LogsQuery, response: ServerResponse) => void) | undefined;
  /** The dashboard's assertions about readers of manifests. */
  readonly readerWords: { readonly username: string; readonly project: string; readonly word: string }[] = [];
  configurationError: string | undefined;
  #version = 100;
  readonly #mainApplication: StandInMainApplication;
  readonly #server: Server;

  constructor(mainApplication: StandInMainApplication) {
    this.#mainApplication = mainApplication;
    this.#server = createServer(this.handle);
    this.#server.on("upgrade", this.handleUpgrade);
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    // A TCP server that listens has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${PREFIX}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Creates or changes an object and tells the watches. */
  put(
    resource: string,
    object: Record<string, unknown> & { metadata: { name: string; namespace?: string; [field: string]: unknown } },
  ): void {
    this.#version += 1;
    const id = `${resource}/${object.metadata.name}`;
    const metadata = { namespace: "prod", uid: `uid-${id}`, resourceVersion: String(this.#version), ...object.metadata };
    const stored = { ...object, metadata };
    const type = this.objects.has(id) ? "MODIFIED" : "ADDED";
    this.objects.set(id, stored);
    for (const watch of this.watches)
      if (watch.resource === resource) watch.response.write(`${JSON.stringify({ type, object: stored })}\n`);
  }

  /** Cuts open watches, all or one user's. */
  cut(username?: string): void {
    for (const watch of this.watches) if (username === undefined || watch.username === username) watch.response.destroy();
  }

  watchesOf(username: string): string[] {
    return [...this.watches]
      .filter((watch) => watch.username === username)
      .map((watch) => watch.resource)
      .toSorted();
  }

  /** Whether a request has a credential with which it may use its agent. */
  hasAccess(request: IncomingMessage): boolean {
    const username = this.#userOf(request);
    return username !== undefined && this.allowed.has(username);
  }

  /** Answers a request, for a server in front of it that is another kas. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", "http://kas.invalid");
    this.hosts.add(request.headers.host ?? "");
    this.clients.add(String(request.headers["x-forwarded-for"] ?? ""));
    if (!this.cluster && !/\/binnacle\/v1\/(?:views|logs)/.test(url.pathname)) request.resume();
    const username = this.#userOf(request);
    const line = `${username ?? "nobody"} ${request.method} ${url.pathname.slice(PREFIX.length)}`;
    this.requests.push(line);
    if (request.headers["kas-proof"] !== undefined) this.proofs.push(line);
    const assertion = request.headers["binnacle-agent-reader"];
    if (
      this.agentStatus &&
      url.pathname === `${PREFIX}/binnacle/v1/agent` &&
      (typeof assertion === "string" || this.allowed.has(username ?? ""))
    )
      return this.agentStatus({ assertion, etag: request.headers["if-none-match"] }, response);
    if (username === undefined || !this.allowed.has(username)) {
      response.setHeader("gitlab-unauthorized", "true");
      return send(response, 401, createStatus(401, "unauthorized"));
    }
    const free = Math.max(0, (this.watchLimit ?? 0) - this.watches.size);
    for (const [name, value] of Object.entries(this.headers)) response.setHeader(name, value);
    if (this.watchLimit !== undefined) response.setHeader("kas-agent-watch-budget", `${this.watchLimit};free=${free}`);
    if (this.configurationError !== undefined) response.setHeader("kas-agent-config-error", this.configurationError);
    const path = url.pathname.slice(PREFIX.length);
    const { views, manyViews, logs } = this;
    if (path === "/binnacle/v1/views" && views)
      return void bodyOf(request).then((body) => views(fromBinary(ViewSpecSchema, body), response));
    if (path === "/binnacle/v1/views/many" && manyViews)
      return void bodyOf(request).then((body) => manyViews(fromBinary(ViewSpecsSchema, body), response));
    if (path === "/binnacle/v1/logs" && logs) return void bodyOf(request).then((body) => logs(fromBinary(LogsQuerySchema, body), response));
    if (path.startsWith("/binnacle/")) {
      const word = request.headers["binnacle-manifest-reader"];
      if (typeof word === "string") this.readerWords.push({ username, project: url.searchParams.get("project") ?? "", word });
      if (this.gitops) return this.gitops(url.searchParams.get("project") ?? undefined, response);
      return send(response, 404, createStatus(404, "the server could not find the requested resource"));
    }
    if (this.offline) {
      response.setHeader("kas-refusal", "agent_not_connected");
      return send(
        response,
        503,
        createStatus(503, "agent 3 is not connected", { details: { causes: [{ reason: "agent_not_connected" }] } }),
      );
    }
    if (this.cluster) {
      request.url = request.url?.slice(PREFIX.length);
      return this.cluster(request, response);
    }
    if (path === "/api" || path === "/apis") return this.#discover(path, request, response);
    if (path.endsWith("/selfsubjectreviews")) {
      return send(response, 201, {
        status: {
          userInfo: {
            username: this.everybody ?? `gitlab:user:${username}`,
            groups: [...this.groups, "system:authenticated"],
            extra: this.extra,
          },
        },
      });
    }
    const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    const [resource = "", name] = path
      .replace(/^\/apis?\/([^/]+\/)?v1\/(namespaces\/[^/]+\/)?/, "")
      .split("/")
      .map(decodeURIComponent);
    if (name !== undefined) {
      if (this.closed.has(namespace ?? "")) return send(response, 403, createStatus(403, `${resource} "${name}" is forbidden`));
      const object = this.objects.get(`${resource}/${name}`);
      return object ? send(response, 200, object) : send(response, 404, createStatus(404, `${resource} "${name}" not found`));
    }
    if (namespace === undefined && !this.clusterWide) {
      return send(response, 403, createStatus(403, `${resource} is forbidden: cannot list resource at the cluster scope`));
    }
    if (namespace !== undefined && this.forbidden.has(`${username} ${namespace}`)) {
      return send(response, 403, createStatus(403, `${resource} is forbidden: cannot list resource in the namespace "${namespace}"`));
    }
    const items = [...this.objects.entries()]
      .filter(([id, object]) => id.startsWith(`${resource}/`) && (namespace === undefined || namespaceOf(object) === namespace))
      .map(([, object]) => object);
    const metadataOnly = String(request.headers.accept).includes("PartialObjectMetadata");
    if (url.searchParams.has("watch")) {
      if (this.watchLimit !== undefined && free === 0 && request.headers["kas-watch-budget"] === "sample") {
        response.setHeader("kas-refusal", "watch_budget_spent");
        response.setHeader("retry-after", "30");
        const causes = [{ reason: "watch_budget_spent" }];
        return send(response, 429, createStatus(429, "the agent's watches are in use", { details: { causes } }));
      }
      this.#watch(response, { username, resource });
      if (url.searchParams.has("sendInitialEvents")) this.#sendInitialEvents(response, metadataOnly ? items.map(metadataOf) : items);
      return;
    }
    send(response, 200, {
      kind: "List",
      metadata: { resourceVersion: String(this.#version) },
      items: metadataOnly ? items.map(({ metadata }) => ({ metadata })) : items,
    });
  };

  /** The same of an upgrade. */
  readonly handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on("error", () => socket.destroy());
    const username = this.#userOf(request);
    const path = (request.url ?? "").slice(PREFIX.length);
    this.requests.push(`${username ?? "nobody"} UPGRADE ${path.split("?", 1)[0]}`);
    // As kas: a cookie comes from pages of the main application.
    const isForeign = request.headers.cookie !== undefined && request.headers.origin !== MAIN_ORIGIN;
    if (isForeign || username === undefined || !this.allowed.has(username) || !this.upgrade)
      return void socket.end("HTTP/1.1 401 Unauthorized\r\ngitlab-unauthorized: true\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    request.url = path;
    this.upgrade(request, socket, head);
  };

  #userOf(request: IncomingMessage): string | undefined {
    const [, agent = "", pat] = /^Bearer pat:(\d+):(.*)$/.exec(request.headers.authorization ?? "") ?? [];
    if (pat !== undefined) return this.agents.has(agent) ? this.#mainApplication.tokens.get(pat) : undefined;
    const kas = /_gitlab_kas=([^;]*)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const session = this.#mainApplication.kasCookies.get(kas);
    if (session === undefined || !this.agents.has(String(request.headers["gitlab-agent-id"]))) return undefined;
    const csrf = String(request.headers["x-csrf-token"] ?? "");
    return this.#mainApplication.isCsrfToken(session, csrf) ? this.#mainApplication.sessions.get(session) : undefined;
  }

  #discover(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (request.headers["if-none-match"] === '"1"') return void response.writeHead(304, { etag: '"1"' }).end();
    const groups = new Map(this.kinds.filter(({ group }) => (group === "") === (path === "/api")).map(({ group }) => [group, group]));
    const items = [...groups.keys()].map((group) => ({
      metadata: { name: group },
      versions: [
        {
          version: "v1",
          resources: this.kinds
            .filter((kind) => kind.group === group)
            .map(({ resource, kind }) => ({
              resource,
              responseKind: { group, version: "v1", kind },
              scope: "Namespaced",
              verbs: ["get", "list", "watch"],
            })),
        },
      ],
    }));
    response.setHeader("etag", '"1"');
    send(response, 200, { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items });
  }

  #watch(response: ServerResponse, { username, resource }: { username: string; resource: string }): void {
    const watch = { response, username, resource };
    this.watches.add(watch);
    response.on("close", () => this.watches.delete(watch));
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
  }

  #sendInitialEvents(response: ServerResponse, items: readonly object[]): void {
    const metadata = { resourceVersion: String(this.#version), annotations: { "k8s.io/initial-events-end": "true" } };
    const end = { type: "BOOKMARK", object: { metadata } };
    const events = [...items.map((object) => ({ type: "ADDED", object })), end];
    response.write(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  }
}

function namespaceOf({ metadata }: Record<string, unknown>): unknown {
  return typeof metadata === "object" && metadata !== null && "namespace" in metadata ? metadata.namespace : undefined;
}

function metadataOf({ metadata }: Record<string, unknown>): object {
  return { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
