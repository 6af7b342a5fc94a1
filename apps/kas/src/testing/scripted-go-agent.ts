import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";

import { dialHttp2, FRAME_PREFIX_BYTES, frameHeader } from "@binnacle/grpc-wire";
import { ConfigurationRequestSchema } from "@binnacle/proto/agent-configuration";
import { RegisterRequestSchema } from "@binnacle/proto/agent-registrar";
import { HttpRequestSchema, HttpResponseSchema, type HttpRequest, type HttpRequest_Header } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema } from "@binnacle/proto/kubernetes-api";
import { ConnectRequestSchema, ConnectResponseSchema } from "@binnacle/proto/reverse-tunnel";
import { create, fromBinary, toBinary, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";

import { RECORDED_USER_AGENT } from "./user-agents.ts";

/** Releases that were recorded (fixtures/go-agents). */
export type GoRelease = keyof typeof RECORDED_USER_AGENT;

/** An answer that the cluster gives before it has read a byte of the request's body. */
interface EarlyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body is cut after so many characters, as it is when the failed upload cancels the request. Absent: it comes whole. */
  readonly cutAfter?: number;
  /** It comes in one piece with the failure of the upload, as when the agent is slower than its cluster. Default: as soon as the header was read. */
  readonly withFailure?: boolean;
}

/** What a scripted Go agent is. */
export interface ScriptedGoAgentOptions {
  readonly release: GoRelease;
  /** Its token, as it stands behind `Bearer `. */
  readonly token: string;
  /** API server of its cluster, and its own credential there. Absent: there is none, and `early` answers. */
  readonly cluster?: { readonly server: string; readonly ca?: Buffer; readonly token: string };
  /** Answers instead of the cluster, early. */
  readonly early?: (request: HttpRequest_Header) => EarlyAnswer | undefined;
  /** Version in its `AgentMeta`. Default: that of the release. */
  readonly metaVersion?: string;
}

const RPC = "/gitlab.agent.";
const CONNECT = `${RPC}reverse_tunnel.rpc.ReverseTunnel/Connect`;
const GET_CONFIGURATION = `${RPC}agent_configuration.rpc.AgentConfiguration/GetConfiguration`;
const REGISTER = `${RPC}agent_registrar.rpc.AgentRegistrar/Register`;
const SERVICE = "gitlab.agent.kubernetes_api.rpc.KubernetesApi";
/** 14.1 keeps ten; 16.5 begins with two, and opens nine more at the first requests. */
const FIRST_TUNNELS = { "14.1.1": 10, "16.5.0": 2 } as const;
const MORE_TUNNELS = { "14.1.1": 0, "16.5.0": 9 } as const;
const COMMIT = { "14.1.1": "00000000", "16.5.0": "8daa08cc" } as const;
/** gRPC code of a request whose body could not be written. */
const UNAVAILABLE = 14;
/** What Go's pipe says when the HTTP client has closed the body, in the words of the agent. */
const CLOSED_PIPE = "gRPC -> HTTP: request body write: io: read/write on closed pipe";

/**
 * A Go agentk as far as kas sees it: user agent, metadata, order of streams and frames, and compression are those of the recordings. It makes
 * requests to the cluster as the identity of `ImpersonationConfig` (16.5) or, whatever that says, as itself (14.1). A request whose answer
 * comes before its body was written ends with an error behind the answer. Upgrades follow upstream's source, of which there is no recording:
 * 16.5 looks `Upgrade` up as Go writes it, sends header, trailer and bytes after a 101, and hears of a half-close only behind another answer.
 */
export class ScriptedGoAgent {
  readonly #options: ScriptedGoAgentOptions;
  readonly #session: ClientHttp2Session;
  #grown = false;
  #stopped = false;
  /** Tunnels that were opened so far. */
  opened = 0;

  private constructor(options: ScriptedGoAgentOptions, session: ClientHttp2Session) {
    this.#options = options;
    this.#session = session;
    session.on("error", () => undefined);
  }

  /** @param url `grpc://host:port` */
  static async connect(url: string, options: ScriptedGoAgentOptions): Promise<ScriptedGoAgent> {
    const agent = new ScriptedGoAgent(options, await dialHttp2(url, {}));
    agent.#begin();
    return agent;
  }

  stop(): void {
    this.#stopped = true;
    this.#session.destroy();
  }

  #begin(): void {
    const { release, metaVersion = `v${release}` } = this.#options;
    const meta = { version: metaVersion, commitId: COMMIT[release], podNamespace: "gitlab-agent", podName: "go" };
    const isNew = release !== "14.1.1";
    const agentMeta = isNew ? { ...meta, kubernetesVersion: {} } : meta;
    this.#unary(GET_CONFIGURATION, encode(ConfigurationRequestSchema, { agentMeta }));
    for (let count = 0; count < FIRST_TUNNELS[release]; count += 1) this.#openTunnel();
    if (isNew) this.#unary(REGISTER, encode(RegisterRequestSchema, { agentMeta, podId: 1n }));
  }

  #open(path: string): ClientHttp2Stream {
    const { release, token } = this.#options;
    const stream = this.#session.request(
      {
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
        "user-agent": RECORDED_USER_AGENT[release],
        te: "trailers",
        "grpc-encoding": "gzip",
        "grpc-accept-encoding": "gzip",
        authorization: `Bearer ${token}`,
        ...(release === "14.1.1" && { "x-gitlab-client-name": "gitlab-agent" }),
      },
      { endStream: false },
    );
    stream.on("error", () => undefined);
    return stream;
  }

  #unary(path: string, message: Uint8Array): void {
    const stream = this.#open(path);
    stream.end(frameOf(message));
    stream.resume();
  }

  #openTunnel(): void {
    if (this.#stopped || this.#session.destroyed) return;
    this.opened += 1;
    const stream = this.#open(CONNECT);
    const tunnel = new GoTunnel(stream, this.#options, () => this.#grow());
    stream.on("close", () => tunnel.used && this.#openTunnel());
  }

  #grow(): void {
    if (this.#grown) return;
    this.#grown = true;
    for (let count = 0; count < MORE_TUNNELS[this.#options.release]; count += 1) this.#openTunnel();
  }
}

/** One `Connect` stream, and the request that it carries. */
class GoTunnel {
  readonly #stream: ClientHttp2Stream;
  readonly #options: ScriptedGoAgentOptions;
  readonly #onUsed: () => void;
  used = false;
  #toCluster: ClientRequest | undefined;
  #isUpgrade = false;
  #upgraded: Duplex | undefined;
  /** The answer has come and the cluster reads no more: the pipe of the body is closed. */
  #pipeClosed = false;
  #waiting: EarlyAnswer | undefined;
  #failed = false;
  #answered = false;
  #requestEnded = false;
  #over = false;

  constructor(stream: ClientHttp2Stream, options: ScriptedGoAgentOptions, onUsed: () => void) {
    this.#stream = stream;
    this.#options = options;
    this.#onUsed = onUsed;
    const reader = new GoFrames((message) => this.#onFrame(message));
    stream.on("data", (chunk: Buffer) => reader.push(chunk));
    stream.on("close", () => {
      this.#toCluster?.destroy();
      this.#upgraded?.destroy();
    });
    const agentDescriptor = { services: [{ name: SERVICE, methods: [{ name: "MakeRequest" }] }] };
    this.#send({ case: "descriptor", value: { agentDescriptor } });
  }

  #onFrame(bytes: Uint8Array): void {
    const { msg } = fromBinary(ConnectResponseSchema, bytes);
    if (msg.case === "requestInfo") {
      this.used = true;
      this.#onUsed();
    } else if (msg.case === "closeSend" && this.#isUpgrade) {
      this.#requestEnded = true;
      this.#endWhenBothDo();
    } else if (msg.case === "message" && !this.#over) this.#onRequest(fromBinary(HttpRequestSchema, msg.value.data));
  }

  #onRequest({ message }: HttpRequest): void {
    if (message.case === "header") {
      const early = this.#options.early?.(message.value);
      this.#pipeClosed = early !== undefined;
      if (early?.withFailure === true) this.#waiting = early;
      else if (early) this.#answerEarly(early);
      if (early) return;
      this.#isUpgrade = message.value.request?.header["Upgrade"] !== undefined && this.#options.release !== "14.1.1";
      this.#toCluster = this.#request(message.value);
    } else if (message.case === "data") {
      this.#answerWaiting();
      if (this.#pipeClosed) return this.#fail();
      if (this.#toCluster?.write(message.value.data) === false) {
        this.#stream.pause();
        this.#toCluster.once("drain", () => this.#stream.resume());
      }
    } else if (message.case === "upgradeData") {
      if (this.#upgraded === undefined) return this.#fail();
      this.#upgraded.write(message.value.data);
    } else if (message.case === "trailer") {
      this.#requestEnded = !this.#isUpgrade;
      this.#answerWaiting();
      this.#toCluster?.end();
      this.#endWhenBothDo();
    }
  }

  /** The cluster's words go out; the first byte of the body that comes after them ends the call with an error. */
  #answerEarly({ status, headers, body, cutAfter }: EarlyAnswer): void {
    this.#respond(status, headers);
    const sent = cutAfter === undefined ? body : body.slice(0, cutAfter);
    if (sent !== "") this.#sendResponse({ case: "data", value: { data: Buffer.from(sent) } });
    if (cutAfter !== undefined) return this.#fail();
    this.#sendResponse({ case: "trailer", value: {} });
    this.#answered = true;
  }

  #answerWaiting(): void {
    if (this.#waiting) this.#answerEarly(this.#waiting);
    this.#waiting = undefined;
  }

  #fail(): void {
    if (this.#over || this.#failed) return;
    this.#failed = true;
    this.#finish({ code: UNAVAILABLE, message: this.#options.release === "14.1.1" ? "unavailable" : CLOSED_PIPE });
  }

  #endWhenBothDo(): void {
    if (this.#answered && this.#requestEnded) this.#finish();
  }

  #finish(status?: { readonly code: number; readonly message: string }): void {
    if (this.#over) return;
    this.#over = true;
    this.#send({ case: "trailer", value: { meta: {} } });
    if (status) this.#send({ case: "error", value: { status } });
    this.#stream.end();
    this.#stream.resume();
  }

  #request(header: HttpRequest_Header): ClientRequest {
    const { cluster } = this.#options;
    if (cluster === undefined) throw new Error("this scripted agent has no cluster");
    const { method = "GET", urlPath = "/", query = {}, header: lines = {} } = header.request ?? {};
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, { value }]) => value.map((text): [string, string] => [name, text])),
    );
    const url = new URL(urlPath, cluster.server);
    url.search = search.toString();
    const headers: [string, string][] = Object.entries(lines).flatMap(([name, { value }]) =>
      value.map((text): [string, string] => [name, text]),
    );
    const length = header.contentLength ?? 0n;
    const own = [
      ["Authorization", `Bearer ${cluster.token}`] as const,
      ...(length > 0n ? [["Content-Length", String(length)] as const] : []),
    ];
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      method,
      headers: ["Host", url.host, ...[...headers, ...this.#identityOf(header), ...own].flat()],
      ...(cluster.ca && { ca: cluster.ca }),
    });
    request.on("response", (response) => this.#onResponse(response));
    request.on("upgrade", (response, socket, head) => this.#onUpgrade(response, { socket, head }));
    request.on("error", () => this.#answered || this.#fail());
    return request;
  }

  /** 14.1 does not know the extra: it acts as itself. */
  #identityOf({ extra }: HttpRequest_Header): [string, string][] {
    const config = extra === undefined || this.#options.release === "14.1.1" ? undefined : anyUnpack(extra, HeaderExtraSchema)?.impConfig;
    if (config === undefined) return [];
    return [
      ["Impersonate-User", config.username],
      ...config.groups.map((group): [string, string] => ["Impersonate-Group", group]),
      ...config.extra.flatMap(({ key, val }) =>
        val.map((text): [string, string] => [`Impersonate-Extra-${encodeURIComponent(key).toLowerCase()}`, text]),
      ),
    ];
  }

  #onUpgrade(response: IncomingMessage, { socket, head }: { readonly socket: Duplex; readonly head: Buffer }): void {
    this.#upgraded = socket;
    this.#respond(101, response.headers);
    this.#sendResponse({ case: "trailer", value: {} });
    const pass = (data: Buffer): void => this.#sendResponse({ case: "upgradeData", value: { data } });
    if (head.length > 0) pass(head);
    socket.on("data", pass);
    socket.on("error", () => socket.destroy());
    socket.on("end", () => this.#finish());
  }

  #onResponse(response: IncomingMessage): void {
    this.#respond(response.statusCode ?? 0, response.headers);
    response.on("data", (data: Buffer) => this.#sendResponse({ case: "data", value: { data } }));
    response.on("end", () => {
      this.#sendResponse({ case: "trailer", value: {} });
      this.#answered = true;
      // Go's pipe fails the write that was waiting for the cluster, and the agent reads on.
      this.#pipeClosed = !this.#requestEnded;
      this.#stream.resume();
      this.#endWhenBothDo();
    });
    response.on("error", () => this.#fail());
  }

  #respond(statusCode: number, headers: IncomingHttpHeaders | Readonly<Record<string, string>>): void {
    this.#send({ case: "header", value: { meta: { "content-type": { value: ["application/grpc+proto"] } } } });
    const header = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [canonical(name), { value: [value ?? []].flat().map(String) }]),
    );
    this.#sendResponse({ case: "header", value: { response: { statusCode, status: `${statusCode}`, header } } });
  }

  #sendResponse(message: MessageInitShape<typeof HttpResponseSchema>["message"]): void {
    if (this.#over) return;
    const data = toBinary(HttpResponseSchema, create(HttpResponseSchema, message === undefined ? {} : { message }));
    this.#send({ case: "message", value: { data } });
  }

  #send(msg: MessageInitShape<typeof ConnectRequestSchema>["msg"]): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    this.#stream.write(frameOf(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, msg === undefined ? {} : { msg }))));
  }
}

/** Cuts a stream into gRPC messages. */
class GoFrames {
  readonly #message: (message: Uint8Array) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(message: (message: Uint8Array) => void) {
    this.#message = message;
  }

  push(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= FRAME_PREFIX_BYTES) {
      const end = FRAME_PREFIX_BYTES + this.#rest.readUInt32BE(1);
      if (this.#rest.length < end) return;
      const body = this.#rest.subarray(FRAME_PREFIX_BYTES, end);
      const isCompressed = this.#rest.readUInt8(0) === 1;
      this.#rest = this.#rest.subarray(end);
      this.#message(isCompressed ? gunzipSync(body) : body);
    }
  }
}

/** A message as Go sends it: always compressed. */
function frameOf(message: Uint8Array): Buffer {
  const body = gzipSync(message);
  const prefix = Buffer.from(frameHeader(body.length));
  prefix[0] = 1;
  return Buffer.concat([prefix, body]);
}

function encode<Desc extends DescMessage>(schema: Desc, value: MessageInitShape<Desc>): Uint8Array {
  const message: MessageShape<Desc> = create(schema, value);
  return toBinary(schema, message);
}

/** As Go's net/http writes names. */
function canonical(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
