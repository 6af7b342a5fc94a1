import { Readable } from "node:stream";

import {
  automatonOf,
  HTTP_REQUEST_DATA,
  HTTP_REQUEST_UPGRADE_DATA,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  peekField,
  STATUS_OK,
  statusOfThrown,
  StreamAutomaton,
  unwrapBytes,
  wrapBytes,
} from "@binnacle/grpc-wire";
import type { ServiceOptions } from "@binnacle/proto/agent-options";
import { HttpRequestSchema, type HttpRequest, type HttpRequest_Header } from "@binnacle/proto/grpctool";
import { ServiceHeaderExtraSchema, ServiceRight, type ServiceHeaderExtra } from "@binnacle/proto/service-proxy";
import { Fault } from "@binnacle/rpc";

import type { AgentCallHandler, AgentCallReply } from "../reverse-tunnel/agent-call.ts";
import { decodeHttpRequest, extraOf, startOf } from "../kubernetes-api/http-request.ts";
import { CONTINUE, RESPONSE_TRAILER, responseHeaderMessage } from "../kubernetes-api/response-header.ts";
import { hostOf, locationWithin } from "./redirect.ts";
import { connectToService, type ServiceConnection } from "./service-connection.ts";
import type { ResolvedService } from "./service-endpoints.ts";
import { ServiceExchange } from "./service-exchange.ts";
import { handshakeForService, headersForService, headersOfService, isUpgrade } from "./service-headers.ts";
import type { ServiceProxyParts } from "./service-proxy-parts.ts";
import { answerMessages, refusalMessages, ServiceRefusal } from "./service-refusal.ts";
import { maySendRaw, notAllowed } from "./service-entries.ts";
import { serviceTargetOf } from "./service-target.ts";
import { ServiceUpgrade } from "./service-upgrade.ts";

const HTTP_REQUEST = automatonOf(HttpRequestSchema);
const FIELD = { header: 1, data: 2, trailer: 3, upgradeData: 4 } as const;

/** Start line and headers of a request, and whose it is. */
interface IncomingRequest {
  readonly method: string;
  readonly header: HttpRequest_Header;
  readonly extra: ServiceHeaderExtra;
}

/** A request that may be made, and where. */
interface Allowed {
  readonly entry: ServiceOptions;
  readonly target: string;
  readonly service: ResolvedService;
  readonly connection: ServiceConnection;
}

/**
 * One HTTP request to a service of the cluster, as messages in and messages out. Every reason not to make it is an answer in words; while either
 * side is full the other is not read.
 */
export class ServiceCall implements AgentCallHandler {
  readonly #parts: ServiceProxyParts;
  readonly #reply: AgentCallReply;
  readonly #asksFirst: boolean;
  readonly #automaton = new StreamAutomaton(HTTP_REQUEST);
  readonly #stop = new AbortController();
  #request: IncomingRequest | undefined;
  #body: Readable | undefined;
  #bodyBytes = 0;
  #exchange: ServiceExchange | ServiceUpgrade | undefined;
  #started = false;
  #answered = false;
  #ended = false;
  #forget = (): void => {};

  /** @param of asksFirst: the client waits for a 100 before it sends its body; the service receives the head first, and its 100 is passed on */
  constructor(parts: ServiceProxyParts, of: { readonly reply: AgentCallReply; readonly asksFirst: boolean }) {
    const { reply, asksFirst } = of;
    this.#parts = parts;
    this.#reply = reply;
    this.#asksFirst = asksFirst;
    reply.onDrain(() => this.#exchange?.resume());
    const { signal } = this.#stop;
    signal.addEventListener("abort", () => this.#fail(signal.reason), { once: true });
  }

  message(data: Uint8Array): void {
    if (this.#ended) return;
    const field = peekField(data);
    if (field === FIELD.data) {
      const piece = unwrapBytes(HTTP_REQUEST_DATA, data);
      if (piece) return this.#onData(piece);
    } else if (field === FIELD.upgradeData) {
      const piece = unwrapBytes(HTTP_REQUEST_UPGRADE_DATA, data);
      if (piece) return this.#onUpgradeData(piece);
    }
    this.#onDecoded(decodeHttpRequest(data));
  }

  upgradeData(bytes: Uint8Array): void {
    if (!this.#ended) this.#onUpgradeData(bytes);
  }

  closeSend(): void {
    if (this.#ended) return;
    this.#automaton.end();
    if (this.#exchange instanceof ServiceUpgrade && this.#answered) this.#exchange.finish();
  }

  cancelled(): void {
    this.#close(new Error("the caller left"));
  }

  #onDecoded(request: HttpRequest): void {
    switch (request.message.case) {
      case "header":
        this.#automaton.check(FIELD.header);
        this.#request = requestOf(request.message.value);
        if (!this.#asksFirst) return;
        this.#body = this.#openBody();
        return this.#start();
      case "data":
        return this.#onData(request.message.value.data);
      case "trailer":
        this.#automaton.check(FIELD.trailer);
        this.#checkLength("whole");
        if (this.#body) this.#body.push(null);
        return this.#start();
      case "upgradeData":
        return this.#onUpgradeData(request.message.value.data);
      case undefined:
        return this.#automaton.check(0);
    }
  }

  #onUpgradeData(piece: Uint8Array): void {
    this.#automaton.check(FIELD.upgradeData);
    // The client waits for the 101 as kas does.
    if (!(this.#exchange instanceof ServiceUpgrade) || !this.#answered)
      throw new Fault("frame_order", "bytes of an upgraded connection came before it was upgraded");
    if (!this.#exchange.write(piece)) this.#reply.pause();
  }

  #onData(piece: Uint8Array): void {
    this.#automaton.check(FIELD.data);
    this.#bodyBytes += piece.byteLength;
    this.#checkLength("part");
    this.#body ??= this.#openBody();
    this.#start();
    if (!this.#body.push(piece)) this.#reply.pause();
  }

  #openBody(): Readable {
    const body = new Readable({ highWaterMark: 128 * 1024, read: () => this.#reply.resume() });
    // Either side may destroy it; that side ends the call.
    body.on("error", () => {});
    return body;
  }

  /** A body of another length than its header states would leave unchecked bytes on the connection. */
  #checkLength(what: "part" | "whole"): void {
    const length = contentLengthOf(this.#request);
    if (length === undefined || (what === "part" ? this.#bodyBytes <= length : this.#bodyBytes === length)) return;
    throw new Fault("invalid_request", "the body is not as long as it says");
  }

  #start(): void {
    const request = this.#request;
    if (this.#started || request === undefined) return;
    this.#started = true;
    this.#run(request).catch((error: unknown) => this.#fail(error));
  }

  async #run(incoming: IncomingRequest): Promise<void> {
    const { extra } = incoming;
    const { entries, endpoints, metrics, clock } = this.#parts;
    const entry = entries.get(extra.service);
    const isAllowed =
      entry && (extra.right === ServiceRight.METRICS ? entry.metrics : extra.right === ServiceRight.RAW && maySendRaw(entry, extra.caller));
    if (entry === undefined || isAllowed !== true) throw notAllowed(extra.service);
    this.#forget = entries.using(entry, this.#stop);
    const { signal } = this.#stop;
    const { request } = incoming.header;
    if (extra.right === ServiceRight.METRICS) {
      const answer = await metrics.answer({ entry, query: request?.query ?? {}, identity: extra.identity, signal });
      return this.#whole(Buffer.from(JSON.stringify(answer)));
    }
    const upgrade = isUpgrade(request?.header ?? {});
    if (upgrade && !entry.upgrades) throw new ServiceRefusal("service_request_refused", `service ${entry.name} does not accept WebSockets`);
    const { rawTarget } = incoming.header;
    const target = serviceTargetOf(entry, {
      method: incoming.method,
      urlPath: request?.urlPath ?? "",
      query: request?.query ?? {},
      rawTarget,
    });
    const service = await endpoints.resolve(entry, signal);
    const dial = { scheme: entry.scheme, ca: entry.caCertificate, signal, clock };
    const connection = await connectToService(service, dial);
    if (this.#ended) return void connection.socket.destroy();
    if (upgrade) this.#switch(incoming, { entry, target, service, connection });
    else this.#send(incoming, { entry, target, service, connection });
  }

  #send(incoming: IncomingRequest, allowed: Allowed): void {
    const { entry, target, service, connection } = allowed;
    const origin = { scheme: entry.scheme, ...service };
    this.#exchange = new ServiceExchange(
      {
        connection,
        method: incoming.method,
        target,
        headers: headersForService(incoming.header.request?.header ?? {}, hostOf(origin)),
        body: this.#body,
        asksFirst: this.#asksFirst,
        contentLength: contentLengthOf(incoming),
        answerWithinMs: entry.answerWithinSeconds * 1_000,
        clock: this.#parts.clock,
      },
      {
        continue: () => this.#ended || this.#reply.message([CONTINUE]),
        header: (code, headers, text) => {
          try {
            const { location } = headers;
            const within =
              location === undefined ? undefined : locationWithin({ ...origin, endpoint: connection.endpoint }, target, location);
            this.#answered = true;
            this.#reply.message([responseHeaderMessage({ code, text }, headersOfService(headers, within))]);
          } catch (error) {
            this.#fail(error);
          }
        },
        data: (chunk) => this.#ended || this.#reply.message(wrapBytes(HTTP_RESPONSE_DATA, [chunk])),
        end: () => {
          this.#reply.message([RESPONSE_TRAILER]);
          this.#end();
        },
        silent: () => this.#fail(silent(entry)),
        broken: (error) => this.#fail(broken(entry, error)),
      },
    );
  }

  #switch({ header }: IncomingRequest, { entry, target, service, connection }: Allowed): void {
    const lines = header.request?.header ?? {};
    this.#exchange = new ServiceUpgrade(
      {
        connection,
        target,
        headers: [...headersForService(lines, hostOf({ scheme: entry.scheme, ...service })), ...handshakeForService(lines)],
        answerWithinMs: entry.answerWithinSeconds * 1_000,
        clock: this.#parts.clock,
      },
      {
        switched: (headers) => {
          this.#answered = true;
          this.#reply.message([responseHeaderMessage({ code: 101, text: undefined }, headersOfService(headers, undefined), "websocket")]);
          this.#reply.message([RESPONSE_TRAILER]);
          this.#reply.upgraded();
        },
        data: (chunks) => this.#ended || this.#reply.message(wrapBytes(HTTP_RESPONSE_UPGRADE_DATA, chunks)),
        drained: () => this.#reply.resume(),
        end: () => this.#end(),
        refused: (code) =>
          this.#fail(
            new ServiceRefusal("service_answer_refused", `service ${entry.name} answers ${code} instead of changing to WebSocket`),
          ),
        silent: () => this.#fail(silent(entry)),
        broken: (error) => this.#fail(broken(entry, error)),
      },
    );
  }

  #whole(body: Uint8Array): void {
    if (this.#ended) return;
    const headers = { "content-type": "application/json", "cache-control": "no-store" };
    for (const message of answerMessages({ code: 200, headers, body, hasBody: this.#request?.method !== "HEAD" }))
      this.#reply.message(message);
    this.#end();
  }

  /** Before the answer has begun a sentence; after that only a broken call says that it is not whole. */
  #fail(error: unknown): void {
    if (this.#ended) return;
    if (error instanceof ServiceRefusal && !this.#answered) {
      for (const message of refusalMessages(error, this.#request?.method !== "HEAD")) this.#reply.message(message);
      return this.#end();
    }
    const thrown = error instanceof ServiceRefusal ? new Fault("cluster_unavailable", error.message, { cause: error }) : error;
    if (!(thrown instanceof Fault)) this.#parts.log.error({ error: thrown }, "a request to a service failed");
    this.#close(new Error("it failed"));
    this.#reply.end(statusOfThrown(thrown));
  }

  #end(): void {
    this.#close(new Error("it is over"));
    this.#reply.end(STATUS_OK);
  }

  #close(reason: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#forget();
    this.#exchange?.cancel();
    this.#stop.abort(reason);
    this.#body?.destroy();
  }
}

function silent({ name, answerWithinSeconds }: ServiceOptions): ServiceRefusal {
  return new ServiceRefusal("service_silent", `service ${name} has not begun to answer in ${answerWithinSeconds} s`);
}

function broken({ name }: ServiceOptions, cause: Error): ServiceRefusal {
  return new ServiceRefusal("service_answer_refused", `service ${name} broke off, or did not answer in HTTP`, { cause });
}

/** @throws Fault `invalid_request` for anything but a request to a service: without its extra the caller is unknown */
function requestOf(header: HttpRequest_Header): IncomingRequest {
  const { method } = startOf(header);
  const extra = extraOf(header, ServiceHeaderExtraSchema);
  if (extra === undefined) throw new Fault("invalid_request", "the request names no service and no caller");
  return { method, header, extra };
}

function contentLengthOf(request: IncomingRequest | undefined): number | undefined {
  const length = request?.header.contentLength;
  return length === undefined || length < 0n ? undefined : Number(length);
}
