import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentRouter } from "../agent-call/agent-call.ts";
import { SERVICE_REQUEST } from "../agent-call/routed-methods.ts";
import type { RequestAudit } from "../audit/request-audit.ts";
import { encodeRequestHeader, REQUEST_TRAILER } from "../http-exchange/request-header.ts";
import { checkRequest } from "./checked-request.ts";
import { corsHeadersOf } from "./cross-origin.ts";
import type { KubernetesProxy } from "./kubernetes-proxy.ts";
import { keepProving } from "./live-access.ts";
import { ProxyRefusal, refusalOf } from "./proxy-refusal.ts";
import { refuseRaw, type RawRefusals } from "./raw-refusal.ts";
import { headersForAgent } from "./request-headers.ts";
import { serviceExtraOf } from "./service-endpoint.ts";
import { parseServiceTarget, servicesPrefix } from "./service-target.ts";
import { UpgradedService } from "./upgraded-service.ts";

/** What WebSockets to services need. */
export interface ServiceSocketsOptions {
  readonly proxy: Pick<KubernetesProxy, "access" | "prove" | "book" | "audit">;
  readonly router: AgentRouter;
  readonly clock: Clock;
  readonly log: Logger;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** The one origin that may open one from a browser. */
  readonly allowedOrigin: string;
  readonly waitMs: number;
  readonly refusals?: RawRefusals;
}

/** Longer than agentk waits for any service. */
const ANSWER_MS = 70_000;
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"] as const;

/** A handshake that is looked at. */
interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly traceId: string;
  readonly audit: RequestAudit;
}

const CLIENT_LEFT = 499;

/** WebSockets to services of the cluster, where the agent's configuration allows them: bytes both ways once the service has answered 101. */
export class ServiceSockets {
  readonly #options: ServiceSocketsOptions;
  readonly #prefix: string;
  readonly #open = new Set<UpgradedService>();

  constructor(options: ServiceSocketsOptions) {
    this.#options = options;
    this.#prefix = servicesPrefix(options.pathPrefix);
  }

  /** Answers a handshake. @returns false when it is for something else */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (request.url?.startsWith(this.#prefix) !== true) return false;
    // Nothing of it is read before the service has answered.
    socket.pause();
    const traceId = randomUUID();
    const audit = this.#options.proxy.audit(traceId);
    this.#pass({ request, socket, head, traceId, audit }).catch((error: unknown) => this.#refuse(socket, audit, error));
    return true;
  }

  /** This kas goes away: all of them end. */
  close(): void {
    for (const socket of this.#open) socket.close();
  }

  async #pass({ request, socket, head, traceId, audit }: Handshake): Promise<void> {
    const { proxy, router, clock, pathPrefix: prefix, allowedOrigin, waitMs } = this.#options;
    checkRequest(request, prefix);
    corsHeadersOf(request, allowedOrigin);
    if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket")
      throw new ProxyRefusal(501, "services are upgraded to WebSocket alone", { reason: "not_implemented" });
    const { service, right, target, pathPrefix } = parseServiceTarget(request.url ?? "", prefix, "GET");
    const left = new AbortController();
    let upgraded: UpgradedService | undefined;
    socket.once("close", () => {
      left.abort(new Fault("cancelled", "the client left"));
      audit.finish(upgraded?.status ?? CLIENT_LEFT);
    });
    const { credential, access } = await proxy.access({ request, signal: left.signal, audit }, target, { service, method: "GET" });
    const opened = new UpgradedService({ socket, head, pathPrefix, onFail: (fault) => this.#refuse(socket, audit, fault) });
    upgraded = opened;
    audit.counts(opened);
    const context = { caller: access.caller, traceId, class: "upgrade", waitMs } as const;
    const asking = { agentId: access.agentId, method: SERVICE_REQUEST, metadata: new Map(), context, signal: left.signal };
    const call = await router.open(asking, opened);
    if (socket.destroyed) return call.cancel();
    proxy.book(socket, access.caller);
    this.#open.add(opened);
    const cancelWait = clock.after(ANSWER_MS, () => {
      if (opened.isWaiting) opened.fail(new Fault("agent_silent", `the agent has not answered in ${ANSWER_MS / 1_000} s`));
    });
    const stopProving = keepProving(
      clock,
      () => proxy.prove(credential, access),
      () => opened.close(),
    );
    socket.once("close", () => {
      cancelWait();
      stopProving();
      this.#open.delete(opened);
      opened.close();
    });
    const handshake = Object.fromEntries(
      HANDSHAKE.flatMap((name) => (request.headersDistinct[name] === undefined ? [] : [[name, { value: request.headersDistinct[name] }]])),
    );
    const header = { ...headersForAgent(request, false), ...handshake, upgrade: { value: ["websocket"] } };
    const { path, query } = target;
    const first = encodeRequestHeader({ method: "GET", path, query, header, service: serviceExtraOf({ service, right, access }) });
    opened.attach(call, [first, REQUEST_TRAILER]);
  }

  #refuse(socket: Duplex, audit: RequestAudit, error: unknown): void {
    if (!(error instanceof ProxyRefusal) && !(error instanceof Fault)) this.#options.log.error({ error }, "upgrading a connection failed");
    const refusal = refusalOf(error);
    audit.finish(refusal.code);
    refuseRaw(socket, { refusal, reason: refusal.reason ?? "invalid_request" }, this.#options.refusals);
  }
}
