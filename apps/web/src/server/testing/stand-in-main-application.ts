import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An environment of the stand-in. */
export interface StandInEnvironment {
  readonly id: number;
  readonly name: string;
  readonly namespace: string;
  /** 0: none. */
  readonly agentId: number;
}

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
  environments: StandInEnvironment[] = [{ id: 7, name: "production", namespace: "prod", agentId: 3 }];
  /** Everything is answered with this status while set. */
  broken: number | undefined;
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
    if (this.broken !== undefined) return void response.writeHead(this.broken).end();
    const session = /_gitlab_session=([^;]*)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    if (path === "/api/graphql") return this.#graphql(request, response, { session, body: Buffer.concat(chunks).toString("utf8") });
    if (!this.sessions.has(session)) return void response.writeHead(302, { location: "/users/sign_in" }).end();
    const token = randomBytes(8).toString("hex");
    this.#csrf.set(token, session);
    const headers: Record<string, string> = { "content-type": "text/html" };
    if (/\/-\/environments\/\d+$/.test(path)) {
      const kas = randomBytes(8).toString("hex");
      this.kasCookies.set(kas, session);
      headers["set-cookie"] = `_gitlab_kas=${kas}; Path=/; HttpOnly`;
    }
    response
      .writeHead(200, headers)
      .end(`<html><head><meta name="csrf-param" content="x"><meta name="csrf-token" content="${token}" /></head></html>`);
  }

  #graphql(request: IncomingMessage, response: ServerResponse, { session, body }: { session: string; body: string }): void {
    const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1];
    const csrf = String(request.headers["x-csrf-token"] ?? "");
    const byCookie = this.isCsrfToken(session, csrf) ? this.sessions.get(session) : undefined;
    const username = bearer === undefined ? byCookie : this.tokens.get(bearer);
    if (username === undefined) return void response.writeHead(401).end("{}");
    const { variables } = JSON.parse(body) as { variables: Record<string, unknown> };
    const nodes = this.environments.map((environment) => ({
      id: `gid://gitlab/Environment/${environment.id}`,
      name: environment.name,
      slug: environment.name,
      tier: "PRODUCTION",
      state: "available",
      externalUrl: null,
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
    const project =
      variables["project"] === "group/app"
        ? {
            id: "gid://gitlab/Project/1",
            name: "app",
            fullPath: "group/app",
            environment: nodes.find((node) => node.name === variables["environment"]) ?? null,
            environments: { nodes, pageInfo },
          }
        : null;
    const currentUser = { id: "gid://gitlab/User/1", username, name: username };
    const data = { currentUser, project, projects: { nodes: [{ name: "app", fullPath: "group/app" }], pageInfo } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  }
}
