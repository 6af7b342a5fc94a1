import { ServerResponse, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";

import type { Upgrade } from "@binnacle/kubelet-stand-in";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { ApiError, pathNotFound } from "./api-error.ts";
import type { AuditLog } from "./audit-log.ts";
import { answerInfo, type InfoParts } from "./info-requests.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { ANONYMOUS, type User } from "./identity.ts";
import { impersonatedUser } from "./impersonation.ts";
import type { Rbac } from "./rbac.ts";
import { parseTarget, type RequestTarget } from "./request-target.ts";
import { answerResource, type ResourceParts } from "./resource-requests.ts";
import type { Tokens } from "./tokens.ts";

/** What a request is answered from. */
export interface ApiServerParts {
  readonly resources: ResourceParts;
  readonly info: InfoParts;
  readonly tokens: Tokens;
  readonly rbac: Rbac;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: AuditLog | undefined;
  /** Aborts when the server stops: open watches end. */
  readonly stopping: AbortSignal;
}

/** From a request to its answer: who (authentication, impersonation), may they (RBAC), what (discovery or a resource). */
export class ApiServer {
  readonly #parts: ApiServerParts;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
  }

  /** Answers a request that asks for another protocol, on its connection; never rejects. */
  async handleUpgrade(upgrade: Upgrade): Promise<void> {
    const response = new ServerResponse(upgrade.request);
    // The sockets of an HTTP server are net.Socket or derived from it.
    response.assignSocket(upgrade.socket as Socket);
    response.setHeader("connection", "close");
    response.once("finish", () => upgrade.socket.end());
    await this.handle(upgrade.request, response, upgrade);
  }

  /** Answers one request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): Promise<void> {
    const { clock, log } = this.#parts;
    const receivedMs = clock.now();
    const url = new URL(request.url ?? "/", "http://localhost");
    const target = parseTarget(url.pathname);
    const verb = verbOf(request, target, url.searchParams);
    const audit: { caller: User; impersonated: User | undefined } = { caller: ANONYMOUS, impersonated: undefined };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const auditId = this.#parts.audit?.nextId() ?? "";
    response.setHeader("audit-id", auditId);
    const record = (stage: "ResponseStarted" | "ResponseComplete"): void =>
      this.#parts.audit?.write({
        stage,
        auditId,
        verb,
        target,
        receivedMs,
        impersonated: audit.impersonated,
        user: audit.caller,
        requestUri: request.url ?? "/",
        userAgent: request.headers["user-agent"] ?? "",
        code: response.statusCode,
        nowMs: clock.now(),
      });
    try {
      audit.caller = this.#parts.tokens.authenticate(request.headers.authorization);
      audit.impersonated = impersonatedUser(request.headersDistinct, audit.caller, this.#parts.rbac);
      const user = audit.impersonated ?? audit.caller;
      this.#authorize(user, target, verb);
      // A GET with an upgrade acts like a POST: it needs the right to create too.
      if (upgrade && target.isResource && verb === "get") this.#authorize(user, target, "create");
      const signal = AbortSignal.any([gone.signal, this.#parts.stopping]);
      const exchange: Exchange = { request, response, target, query: url.searchParams, verb, upgrade, user, signal, warnings: [] };
      if (verb === "watch" || upgrade) record("ResponseStarted");
      const answer = target.isResource ? await answerResource(exchange, this.#parts.resources) : answerInfo(exchange, this.#parts.info);
      if (answer) send(response, answer, exchange.warnings);
    } catch (error) {
      if (!(error instanceof ApiError)) log.error({ error, path: url.pathname }, "a request to the embedded Kubernetes API failed");
      const { body } = error instanceof ApiError ? error : new ApiError(500, "InternalError", "Internal error occurred");
      if (response.headersSent) response.destroy();
      else
        send(
          response,
          { code: body.code, body: JSON.stringify(body), ...(body.code === 429 ? { headers: { "retry-after": "10" } } : {}) },
          [],
        );
      request.resume();
    }
    record("ResponseComplete");
  }

  #authorize(user: User, target: RequestTarget, verb: string): void {
    if (!target.isResource) return this.#parts.rbac.require(user, { verb, group: "", resource: "", path: target.path });
    const { group, resource, namespace, name, subresource } = target;
    this.#parts.rbac.require(user, {
      verb,
      group,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(subresource === undefined ? {} : { subresource }),
    });
    if (!this.#parts.resources.writer.registry.hasGroupVersion(group, target.version)) throw pathNotFound();
  }
}

function send(response: ServerResponse, answer: Answer, warnings: readonly string[]): void {
  if (response.destroyed) return;
  if (answer.code === 304) {
    // A client merges these headers into what it has: no length, no type.
    response.writeHead(304, answer.headers);
    response.end();
    return;
  }
  const body = Buffer.from(answer.body);
  const head: Record<string, string | string[]> = {
    "content-type": answer.contentType ?? "application/json",
    "content-length": String(body.length),
    "cache-control": "no-cache, private",
  };
  if (warnings.length > 0) head["warning"] = warnings.map((text) => `299 - ${JSON.stringify(text)}`);
  response.writeHead(answer.code, { ...head, ...answer.headers });
  response.end(body);
}

function verbOf(request: IncomingMessage, target: RequestTarget, query: URLSearchParams): string {
  const method = (request.method ?? "GET").toLowerCase();
  if (!target.isResource) return method;
  switch (method) {
    case "get":
    case "head":
      if (target.name !== undefined) return "get";
      return ["1", "true"].includes(query.get("watch") ?? "") ? "watch" : "list";
    case "post":
      return "create";
    case "put":
      return "update";
    case "delete":
      return target.name === undefined ? "deletecollection" : "delete";
    default:
      return method;
  }
}
