import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { StandInSettings } from "./stand-in-settings.ts";

import { StandInAgents } from "./stand-in-agents.ts";

/** An environment of the stand-in. */
export interface StandInEnvironment {
  readonly id: number;
  readonly name: string;
  readonly namespace: string;
  /** 0: none. */
  readonly agentId: number;
  /** Default: available. */
  readonly state?: string;
  /** Default: "PRODUCTION". */
  readonly tier?: string;
}

/** How the stand-in is about deployments: it tells them, also whether a ref is a tag or not, the field fails, or it does not support it. */
type DeploymentsOfStandIn = "known" | "without-tag" | "failing" | "unknown";

/**
 * A stand-in for the main application, as small as the tests of the BFF allow: sessions, CSRF tokens, the pages that set
 * `_gitlab_kas`, and GraphQL for one project, "group/app". It is not the sandbox's; that one is a program of its own.
 */
export class StandInMainApplication {
  readonly requests: string[] = [];
  readonly hosts = new Set<string>();
  /** `X-Forwarded-For` of all requests; "" for those without. */
  readonly clients = new Set<string>();
  /** Session cookie or token → username. */
  readonly sessions = new Map<string, string>();
  readonly tokens = new Map<string, string>();
  /** `_gitlab_kas` → session cookie; kas would ask the main application. */
  readonly kasCookies = new Map<string, string>();
  /** Agents of "group/app", and who may change them. */
  readonly agents = new StandInAgents();
  environments: StandInEnvironment[] = [{ id: 7, name: "production", namespace: "prod", agentId: 3 }];
  /** `.gitlab/binnacle.yaml` of the project; `undefined`: there is none. */
  teamFile: string | undefined;
  /** Other projects, with the same environments: the text of the file of each. */
  readonly otherProjects = new Map<string, string>();
  /** What GraphQL says of every environment's last deployment. */
  deployment: unknown = null;
  /** Commits by "<project>@<short id>", and who may read them. */
  readonly commits = new Map<string, unknown>();
  readonly commitReaders = new Set<string>();
  /** Files by "<project>@<commit> <path>", for who may read those commits. */
  readonly files = new Map<string, string>();
  /** Users who requested those, in order. */
  readonly filesOfCommitsReadBy: string[] = [];
  deployments: DeploymentsOfStandIn = "known";
  /** It is of before environments could be on their way to being stopped. */
  knowsNoStopping = false;
  /** Fields of environments that it does not have, "clusterAgent". */
  readonly lacks = new Set<string>();
  /** What GraphQL answers to everybody, whatever was queried. */
  graphqlAnswer: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string } | undefined;
  /** Questions for environments, with their deployments and without. */
  readonly environmentQueries = { with: 0, without: 0 };
  /** Users who may not read the project's repository. */
  readonly withoutCode = new Set<string>();
  /** What becomes of queries for files: answered; as a file that is no text; an error; no answer, until the connection is closed. */
  repository: "answers" | "binary" | "broken" | "silent" = "answers";
  /** Users who requested files, in order. */
  readonly filesReadBy: string[] = [];
  /** Tokens for the k8s-proxy by their ids, and what requests for one are answered with instead, when set. */
  readonly proxyTokens = new Map<string, { readonly token: string; readonly scopes: unknown; readonly expiresAt: unknown }>();
  refusesProxyTokens: number | undefined;
  /** Everything is answered with this status while set. */
  broken: number | undefined;
  /** Pages are answered with this status, with the layout of all pages and nothing else. */
  troubledPages: number | undefined;
  /** Settings of environments. */
  readonly settings = new StandInSettings(this);
  #held: Promise<void> | undefined;
  readonly #csrf = new Map<string, string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    // A TCP server that listens has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Answers no request until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** Whether a CSRF token belongs to the session: kas asks that too. */
  isCsrfToken(session: string, token: string): boolean {
    return this.#csrf.get(token) === session;
  }

  /** All CSRF tokens and kas cookies handed out so far are worth nothing. */
  expireTokens(): void {
    this.#csrf.clear();
    this.kasCookies.clear();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    this.requests.push(`${request.method} ${path}`);
    this.hosts.add(request.headers.host ?? "");
    this.clients.add(String(request.headers["x-forwarded-for"] ?? ""));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await this.#held;
    if (this.broken !== undefined) return void response.writeHead(this.broken).end();
    const session = /_gitlab_session=([^;]*)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    if (path === "/api/graphql") return this.#graphql(request, response, { session, body: Buffer.concat(chunks).toString("utf8") });
    if (path.startsWith("/api/v4/")) return this.#rest(request, response, Buffer.concat(chunks).toString("utf8"));
    if (!this.sessions.has(session)) return void response.writeHead(302, { location: "/users/sign_in" }).end();
    const token = randomBytes(8).toString("hex");
    this.#csrf.set(token, session);
    const headers: Record<string, string> = { "content-type": "text/html" };
    if (this.troubledPages === undefined && /\/-\/environments\/(?:\d+|new)$/.test(path)) {
      const kas = randomBytes(8).toString("hex");
      this.kasCookies.set(kas, session);
      headers["set-cookie"] = `_gitlab_kas=${kas}; Path=/; HttpOnly`;
    }
    response
      .writeHead(this.troubledPages ?? 200, headers)
      .end(`<html><head><meta name="csrf-param" content="x"><meta name="csrf-token" content="${token}" /></head></html>`);
  }

  /** Tokens that a viewer makes and revokes with an access token. */
  #rest({ method, url = "", headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const username = this.tokens.get(/^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "");
    if (username === undefined) return void response.writeHead(401).end("{}");
    if (method === "POST" && url === "/api/v4/user/personal_access_tokens") {
      if (this.refusesProxyTokens !== undefined) return void response.writeHead(this.refusesProxyTokens).end("{}");
      const { scopes, expires_at: expiresAt } = JSON.parse(body) as { scopes: unknown; expires_at: unknown };
      const [id, token] = [String(this.proxyTokens.size + 1), `glpat-proxy-${randomBytes(8).toString("hex")}`];
      this.proxyTokens.set(id, { token, scopes, expiresAt });
      this.tokens.set(token, username);
      return void response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ id: Number(id), token }));
    }
    const revoked = method === "DELETE" ? this.proxyTokens.get(url.slice(url.lastIndexOf("/") + 1)) : undefined;
    if (revoked !== undefined) this.tokens.delete(revoked.token);
    response.writeHead(revoked === undefined ? 404 : 204).end();
  }

  #graphql(request: IncomingMessage, response: ServerResponse, { session, body }: { session: string; body: string }): void {
    const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
    const csrf = String(request.headers["x-csrf-token"] ?? "");
    const byCookie = this.isCsrfToken(session, csrf) ? this.sessions.get(session) : undefined;
    const username = bearer === undefined ? byCookie : this.tokens.get(bearer);
    if (username === undefined) return void response.writeHead(401).end("{}");
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    // All other mutations are those of settings.
    const ofAgents = this.agents.answer(query, variables, username);
    if (ofAgents !== undefined) return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ofAgents));
    const settings = this.settings.answer(query, username, variables);
    if (settings === "silent") return void response.writeHead(502).end();
    if (settings) return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(settings));
    if (this.graphqlAnswer !== undefined) {
      const { status, headers, body: text } = this.graphqlAnswer;
      return void response.writeHead(status, headers).end(text);
    }
    const lacked = [...this.lacks].filter((field) => query.includes(field));
    if (lacked.length > 0) {
      const errors = lacked.map((field) => ({ message: `Field '${field}' doesn't exist on type 'Environment'`, path: ["query"] }));
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ errors }));
    }
    if (query.includes("blobs(")) return this.#blobs(response, username, variables);
    if (query.includes("lastCommit")) return this.#commit(response, username, variables);
    const isWithDeployments = query.includes("lastDeployment");
    if (query.includes("kubernetesNamespace")) this.environmentQueries[isWithDeployments ? "with" : "without"] += 1;
    const isTagUnknown = this.deployments === "without-tag" && /\btag\b/.test(query);
    if (isWithDeployments && (this.deployments === "unknown" || isTagUnknown)) {
      const message = isTagUnknown
        ? "Field 'tag' doesn't exist on type 'Deployment'"
        : "Field 'lastDeployment' doesn't exist on type 'Environment'";
      const errors = [{ message, path: ["query Environment", "project"] }];
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ errors }));
    }
    const nodes = this.environments.map((environment) => ({
      id: `gid://gitlab/Environment/${environment.id}`,
      name: environment.name,
      slug: environment.name,
      tier: environment.tier ?? "PRODUCTION",
      state: environment.state ?? "available",
      externalUrl: null,
      ...(isWithDeployments ? { lastDeployment: this.deployments === "failing" ? null : this.deployment } : {}),
      kubernetesNamespace: environment.namespace,
      clusterAgent:
        environment.agentId === 0
          ? null
          : {
              id: `gid://gitlab/Clusters::Agent/${environment.agentId}`,
              name: "demo",
              project: { name: "app", fullPath: "group/app" },
              connections: { nodes: [{ connectedAt: "2026-01-01T00:00:00Z" }] },
            },
    }));
    const pageInfo = { hasNextPage: false, endCursor: null };
    const states = variables["states"];
    const inStates = nodes.filter(({ state }) => !Array.isArray(states) || states.includes(state));
    // What it says of a state that it does not know.
    const isOfOlder = this.knowsNoStopping && Array.isArray(states) && states.includes("stopping");
    const fullPath = String(variables["project"]);
    const project =
      fullPath === "group/app" || this.otherProjects.has(fullPath)
        ? {
            id: "gid://gitlab/Project/1",
            name: "app",
            fullPath,
            environment: nodes.find((node) => node.name === variables["environment"]) ?? null,
            environments: isOfOlder ? null : { nodes: inStates, pageInfo },
          }
        : null;
    const currentUser = { id: "gid://gitlab/User/1", username, name: username };
    const data = { currentUser, project, projects: { nodes: [{ name: "app", fullPath: "group/app" }], pageInfo } };
    const inList = nodes.map((_, index) => ["project", "environments", "nodes", index, "lastDeployment"]);
    const paths = [["project", "environment", "lastDeployment", "commit"], ...inList];
    const errors =
      isWithDeployments && this.deployments === "failing" ? { errors: paths.map((each) => ({ message: "14", path: each })) } : {};
    const withoutLacked = (name: string, value: unknown): unknown => (this.lacks.has(name) ? undefined : value);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data, ...errors }, withoutLacked));
  }

  #commit(response: ServerResponse, username: string, variables: Record<string, unknown>): void {
    const lastCommit = this.commits.get(`${String(variables["project"])}@${String(variables["ref"])}`);
    const project = lastCommit && this.commitReaders.has(username) ? { repository: { tree: { lastCommit } } } : null;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: { project } }));
  }

  #blobs(response: ServerResponse, username: string, variables: Record<string, unknown>): void {
    this.filesReadBy.push(username);
    if (this.repository === "silent") return;
    if (this.repository === "broken") {
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ errors: [{ message: "14" }] }));
    }
    if (typeof variables["ref"] === "string") return this.#filesAt(response, username, variables);
    const fullPath = String(variables["project"]);
    const file = fullPath === "group/app" ? this.teamFile : this.otherProjects.get(fullPath);
    const text = this.repository === "binary" ? null : file;
    const size = String(Buffer.byteLength(file ?? ""));
    const nodes = file === undefined ? [] : [{ path: ".gitlab/binnacle.yaml", size, rawTextBlob: text }];
    const repository = this.withoutCode.has(username) ? null : { blobs: { nodes } };
    const data = { project: fullPath === "group/app" || this.otherProjects.has(fullPath) ? { repository } : null };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  }

  #filesAt(response: ServerResponse, username: string, { project, ref, paths }: Record<string, unknown>): void {
    this.filesOfCommitsReadBy.push(username);
    const nodes = [paths].flat().flatMap((path) => {
      const text = this.files.get(`${String(project)}@${String(ref)} ${String(path)}`);
      return text === undefined
        ? []
        : [{ path, size: String(Buffer.byteLength(text)), rawTextBlob: this.repository === "binary" ? null : text }];
    });
    const data = { project: this.commitReaders.has(username) ? { repository: { blobs: { nodes } } } : null };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  }
}
