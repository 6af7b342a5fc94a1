import type { IncomingHttpHeaders } from "node:http";
import { Readable, type Duplex } from "node:stream";

import {
  allowedTrailers,
  automatonOf,
  HTTP_REQUEST_DATA,
  HTTP_REQUEST_UPGRADE_DATA,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  isTrailerName,
  peekField,
  readHttpRequestHead,
  STATUS_OK,
  statusOfThrown,
  StreamAutomaton,
  unwrapBytes,
  wrapBytes,
} from "@binnacle/grpc-wire";
import { HttpRequestSchema, type HttpRequest } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema } from "@binnacle/proto/kubernetes-api";
import { Fault, type Clock } from "@binnacle/rpc";

import type { ClusterClient, ClusterRequest, RunningRequest, UpgradeResponseListener } from "../cluster-access/cluster-client.ts";
import { UpgradedSocket, type UpgradeProtocol } from "../cluster-access/upgraded-socket.ts";
import type { AgentCallHandler, AgentCallReply, AgentMethod, AgentMethods } from "../reverse-tunnel/agent-call.ts";
import { decodeHttpRequest, extraOf, startOf, upgradeOf, type RequestHeader, type ValuesByName, isRelayed } from "./http-request.ts";
import { identityOfConfig } from "../cluster-access/impersonation.ts";
import { headerValue } from "../cluster-access/header-value.ts";
import { requestHeadersOf } from "./request-headers.ts";
import { requestTargetOf } from "./request-target.ts";
import { CONTINUE, RESPONSE_TRAILER, responseHeaderMessage, responseTrailerMessage } from "./response-header.ts";

const HTTP_REQUEST = automatonOf(HttpRequestSchema);
const FIELD = { header: 1, data: 2, trailer: 3, upgradeData: 4 } as const;
const CONTENT_LENGTH = "content-length";
/** Tag and length of a trailer. */
const EMPTY_MESSAGE_BYTES = 2;

/** What one exchange needs. */
interface HttpCallOptions {
  readonly cluster: ClusterClient;
  readonly reply: AgentCallReply;
  readonly clock: Clock;
  /** Called with the status code of each response; 0 when there was none. */
  readonly observe: (statusCode: number) => void;
  /**
   * Who sends the client a 100: none, because it does not wait for one; the API server, whose 100 is passed on; or the agent, at once, because
   * the API server's cannot be received.
   */
  readonly expects: "nothing" | "server" | "agent";
  /** The client has announced trailers of its request. */
  readonly relaysTrailers: boolean;
  /** 1xx other than 100 are passed on. */
  readonly relaysInformational: boolean;
}

/**
 * One HTTP request to the Kubernetes API, as messages in and messages out. The request goes out when it is known whether it has a body; each piece of
 * the answer goes back the moment it is read; while either side is full the other is not read. After a 101 that was requested, bytes of the
 * connection follow, until the cluster's side ends.
 */
class HttpCall implements AgentCallHandler, UpgradeResponseListener {
  readonly #options: HttpCallOptions;
  readonly #automaton = new StreamAutomaton(HTTP_REQUEST);
  #request: Omit<ClusterRequest, "body"> | undefined;
  #body: Readable | undefined;
  #trailers: Readonly<Record<string, readonly string[]>> = {};
  #running: RunningRequest | undefined;
  #upgrade: UpgradeProtocol | undefined;
  #upgraded: UpgradedSocket | undefined;
  #ended = false;

  constructor(options: HttpCallOptions) {
    this.#options = options;
    options.reply.onDrain(() => (this.#upgraded ?? this.#running)?.resume());
  }

  message(data: Uint8Array): void {
    if (this.#ended) return;
    const field = peekField(data);
    if (field === FIELD.data) {
      const piece = unwrapBytes(HTTP_REQUEST_DATA, data);
      if (piece) return this.#onData(piece);
    }
    if (field === FIELD.upgradeData) {
      const piece = unwrapBytes(HTTP_REQUEST_UPGRADE_DATA, data);
      if (piece) return this.#onUpgradeData(piece);
    }
    const head = field === FIELD.header ? readHttpRequestHead(data) : undefined;
    if (head) return this.#onHead(head);
    if (field === FIELD.trailer && data.byteLength === EMPTY_MESSAGE_BYTES) return this.#onTrailer({});
    this.#onDecoded(decodeHttpRequest(data));
  }

  upgradeData(bytes: Uint8Array): void {
    if (!this.#ended) this.#onUpgradeData(bytes);
  }

  closeSend(): void {
    if (this.#ended) return;
    this.#automaton.end();
    this.#upgraded?.finish();
  }

  cancelled(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#abort(new Error("the caller left"));
  }

  #onDecoded(request: HttpRequest): void {
    switch (request.message.case) {
      case "header":
        return this.#onHead(request.message.value);
      case "data":
        return this.#onData(request.message.value.data);
      case "trailer":
        return this.#onTrailer(request.message.value.trailer);
      case "upgradeData":
        return this.#onUpgradeData(request.message.value.data);
      case undefined:
        return this.#automaton.check(0);
    }
  }

  #onHead(header: RequestHeader): void {
    this.#automaton.check(FIELD.header);
    this.#request = requestOf(header, this.#options.cluster);
    this.#upgrade = upgradeOf(header);
    const { expects, reply } = this.#options;
    if (expects === "server") this.#start(this.#openBody());
    else if (expects === "agent") reply.message([CONTINUE]);
  }

  #onTrailer(trailer: ValuesByName): void {
    this.#automaton.check(FIELD.trailer);
    const allowed = allowedTrailers(Object.entries(trailer).map(([name, { value }]) => [name, value]));
    this.#trailers = Object.fromEntries(
      Object.entries(allowed ?? {}).map(([name, { value }]) => [name, value.map((one) => headerValue(name, one))]),
    );
    if (this.#body) this.#body.push(null);
    else this.#start(undefined);
  }

  #onData(piece: Uint8Array): void {
    this.#automaton.check(FIELD.data);
    if (this.#upgrade !== undefined) throw new Fault("invalid_request", "a request for an upgrade has no body");
    const isFirst = this.#body === undefined;
    const body = this.#body ?? this.#openBody();
    if (isFirst) this.#start(body);
    if (!body.push(piece)) this.#options.reply.pause();
  }

  /** Nothing is raw before a real 101; kas waits for it too. */
  #onUpgradeData(piece: Uint8Array): void {
    this.#automaton.check(FIELD.upgradeData);
    if (this.#upgraded === undefined) throw new Fault("frame_order", "bytes of an upgraded connection came before it was upgraded");
    if (!this.#upgraded.write(piece)) this.#options.reply.pause();
  }

  #openBody(): Readable {
    const body = new Readable({ highWaterMark: 128 * 1024, read: () => this.#options.reply.resume() });
    // Either side may destroy it; that side ends the call.
    body.on("error", () => {});
    this.#body = body;
    return body;
  }

  #start(body: Readable | undefined): void {
    if (!this.#request) return;
    const { cluster, expects, relaysTrailers } = this.#options;
    if (this.#upgrade !== undefined) {
      this.#running = cluster.upgrade({ ...this.#request, contentLength: undefined, body: undefined }, this.#upgrade, this);
      return;
    }
    const endsWithTrailers = relaysTrailers && this.#request.contentLength === undefined;
    const own = body !== undefined && (expects === "server" || endsWithTrailers);
    const trailers = endsWithTrailers ? { trailers: () => this.#trailers } : {};
    this.#running = own
      ? cluster.requestOnOwnConnection({ ...this.#request, body, expects: expects === "server", ...trailers }, this)
      : cluster.request({ ...this.#request, body }, this);
  }

  switched(headers: IncomingHttpHeaders, socket: Duplex): void {
    const { observe, reply, clock } = this.#options;
    const protocol = this.#upgrade;
    if (this.#ended) return void socket.destroy();
    if (protocol === undefined || headers.upgrade?.toLowerCase() !== protocol.toLowerCase()) {
      socket.destroy();
      return this.error(new Fault("cluster_unavailable", "the API server changed to another protocol than was requested"));
    }
    observe(101);
    reply.message([responseHeaderMessage({ code: 101, text: undefined }, headers, protocol)]);
    reply.message([RESPONSE_TRAILER]);
    reply.upgraded();
    this.#upgraded = new UpgradedSocket(socket, clock, {
      data: (chunks) => this.#ended || reply.message(wrapBytes(HTTP_RESPONSE_UPGRADE_DATA, chunks)),
      drained: () => reply.resume(),
      end: () => this.#end(undefined),
      broken: (error) =>
        this.#end(new Fault("cluster_unavailable", "the upgraded connection to the cluster's API server broke", { cause: error })),
    });
  }

  /** Of the API server's answer, like the five after it. */
  continue(): void {
    if (!this.#ended) this.#options.reply.message([CONTINUE]);
  }

  informational(code: number, headers: IncomingHttpHeaders): void {
    const { reply, relaysInformational } = this.#options;
    if (!this.#ended && relaysInformational) reply.message([responseHeaderMessage({ code, text: undefined }, headers)]);
  }

  header(code: number, text: string | undefined, headers: IncomingHttpHeaders): void {
    this.#options.observe(code);
    if (!this.#ended) this.#options.reply.message([responseHeaderMessage({ code, text }, headers)]);
  }

  data(chunk: Uint8Array): void {
    if (!this.#ended && !this.#options.reply.message(wrapBytes(HTTP_RESPONSE_DATA, [chunk]))) this.#running?.pause();
  }

  end(trailers: IncomingHttpHeaders = {}): void {
    if (this.#ended) return;
    this.#options.reply.message([responseTrailerMessage(trailers)]);
    this.#end(undefined);
  }

  error(error: unknown): void {
    if (!this.#ended) this.#options.observe(0);
    this.#end(error);
  }

  #end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#body?.destroy();
    this.#options.reply.end(error === undefined ? STATUS_OK : statusOfThrown(error));
  }

  #abort(reason: Error): void {
    this.#upgraded?.cancel();
    this.#running?.abort(reason);
    this.#body?.destroy(reason);
  }
}

/** @throws Fault `invalid_request` */
function requestOf(header: RequestHeader, cluster: ClusterClient): Omit<ClusterRequest, "body"> {
  const request = startOf(header);
  const config = extraOf(header, HeaderExtraSchema)?.impConfig;
  return {
    method: request.method,
    target: requestTargetOf(request.urlPath, request.query, header.rawTarget),
    headers: [
      ...requestHeadersOf(request.header, { own: cluster.identity, kas: identityOfConfig(config) }),
      ...trailerHeaders(request.header),
    ],
    contentLength: contentLengthOf(header),
  };
}

/** What a request says of trailers (RFC 9110 §6.6.2, §10.1.4): of this connection, as it was of kas' client. */
function trailerHeaders(header: ValuesByName): string[] {
  const te: string[] = [];
  const announced: string[] = [];
  for (const name in header) {
    // Most names are longer or shorter, and need not be lowered to be compared.
    const into = name.length === 2 ? te : name.length === 7 ? announced : undefined;
    if (into === undefined || name.toLowerCase() !== (into === te ? "te" : "trailer")) continue;
    for (const value of header[name]?.value ?? []) into.push(...value.split(",").map((each) => each.trim()));
  }
  const lines = te.some((value) => value.toLowerCase() === "trailers") ? ["TE", "trailers"] : [];
  const names = announced.filter((name) => isTrailerName(name));
  return names.length > 0 ? [...lines, "Trailer", names.join(", ")] : lines;
}

/** Length of the body when the client stated it; undefined: in chunks. */
function contentLengthOf(header: RequestHeader): number | undefined {
  if (header.contentLength !== undefined) return header.contentLength >= 0n ? Number(header.contentLength) : undefined;
  const lines: string[] = [];
  const values = header.request?.header ?? {};
  for (const name in values)
    if (name.length === CONTENT_LENGTH.length && name.toLowerCase() === CONTENT_LENGTH) lines.push(...(values[name]?.value ?? []));
  const only = lines.length === 1 ? lines[0] : undefined;
  return only !== undefined && /^\d{1,15}$/.test(only) ? Number(only) : undefined;
}

/** Full name of the method that makes a request to the Kubernetes API. */
const MAKE_REQUEST = "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest";

/** The methods for the Kubernetes API that kas can call through this agent's tunnels. */
export function kubernetesApiMethods(cluster: ClusterClient, observe: (statusCode: number) => void, clock: Clock): AgentMethods {
  const makeRequest: AgentMethod = ({ metadata }, reply): AgentCallHandler => {
    const { canUseOwnConnection } = cluster;
    const expects: HttpCallOptions["expects"] = !isRelayed(metadata, "continue") ? "nothing" : canUseOwnConnection ? "server" : "agent";
    const relaysTrailers = canUseOwnConnection && isRelayed(metadata, "trailers");
    return new HttpCall({
      cluster,
      reply,
      clock,
      observe,
      expects,
      relaysTrailers,
      relaysInformational: isRelayed(metadata, "informational"),
    });
  };
  return new Map([[MAKE_REQUEST, makeRequest]]);
}
