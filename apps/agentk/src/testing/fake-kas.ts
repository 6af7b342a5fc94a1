import { once } from "node:events";
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";

import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  automatonOf,
  GrpcServerStream,
  NO_METADATA,
  serverSessionOptions,
  StreamAutomaton,
  valuesOfMetadata,
  type GrpcStatus,
  type Metadata,
} from "@binnacle/grpc-wire";
import { ConfigurationRequestSchema, ConfigurationResponseSchema, type ConfigurationRequest } from "@binnacle/proto/agent-configuration";
import { RegisterRequestSchema, RegisterResponseSchema } from "@binnacle/proto/agent-registrar";
import {
  ObjectsToSynchronizeRequestSchema,
  ObjectsToSynchronizeResponseSchema,
  type ObjectsToSynchronizeRequest,
} from "@binnacle/proto/gitops";
import { ReportSyncRequestSchema, ReportSyncResponseSchema, type GitopsObject, type GitopsSync } from "@binnacle/proto/kas-gitops";
import { ConnectRequestSchema, ConnectResponseSchema, type ConnectRequest } from "@binnacle/proto/reverse-tunnel";

const OK: GrpcStatus = { code: 0, message: "" };
const FIELDS = { descriptor: 1, header: 2, message: 3, trailer: 4, error: 5 } as const;

type Frame = ConnectRequest["msg"];

/** One Connect stream as kas sees it. Checks the order of what the agent sends. */
export class FakeTunnel {
  readonly headers: IncomingHttpHeaders;
  readonly session: ServerHttp2Session | undefined;
  readonly #stream: GrpcServerStream;
  readonly #automaton = new StreamAutomaton(automatonOf(ConnectRequestSchema));
  readonly #frames: Frame[] = [];
  readonly #waiting: ((frame: Frame | undefined) => void)[] = [];
  /** Settles when the agent has closed its side (true), or the stream is gone before that (false). */
  readonly halfClosed: Promise<boolean>;
  open = true;
  readonly #rstCode: () => number | undefined;

  constructor(
    stream: GrpcServerStream,
    from: {
      readonly headers: IncomingHttpHeaders;
      readonly session: ServerHttp2Session | undefined;
      readonly halfClosed: Promise<boolean>;
      readonly rstCode: () => number | undefined;
    },
  ) {
    this.#stream = stream;
    this.headers = from.headers;
    this.session = from.session;
    this.halfClosed = from.halfClosed;
    this.#rstCode = from.rstCode;
    void this.#watchEnd();
  }

  async #watchEnd(): Promise<void> {
    await this.halfClosed;
    this.open = false;
    for (const give of this.#waiting.splice(0)) give(undefined);
  }

  onFrame(data: Uint8Array): void {
    const { msg } = fromBinary(ConnectRequestSchema, data);
    this.#automaton.check(msg.case === undefined ? 0 : FIELDS[msg.case]);
    const give = this.#waiting.shift();
    if (give) give(msg);
    else this.#frames.push(msg);
  }

  /** The next frame of the agent; undefined once it has closed its side. */
  next(): Promise<Frame | undefined> {
    const frame = this.#frames.shift();
    if (frame || !this.open) return Promise.resolve(frame);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** HTTP/2 code of the reset, once the stream is gone; 0 when it ended in peace. */
  get rstCode(): number | undefined {
    return this.#rstCode();
  }

  /** Frames that arrived and were not taken. */
  get pending(): number {
    return this.#frames.length;
  }

  requestInfo(methodName: string, meta: Metadata = new Map()): void {
    this.#send({ case: "requestInfo", value: { methodName, meta: valuesOfMetadata(meta) } });
  }

  message(data: Uint8Array): boolean {
    return this.#send({ case: "message", value: { data } });
  }

  closeSend(): void {
    this.#send({ case: "closeSend", value: {} });
  }

  /** Any bytes as a frame. */
  raw(data: Uint8Array): void {
    this.#stream.write([data]);
  }

  end(status: GrpcStatus = OK): void {
    this.#stream.end(status);
  }

  reset(): void {
    this.#stream.reset();
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  #send(msg: NonNullable<MessageInitShape<typeof ConnectResponseSchema>["msg"]>): boolean {
    return this.#stream.write([toBinary(ConnectResponseSchema, create(ConnectResponseSchema, { msg }))]);
  }
}

/** One GetConfiguration stream as kas sees it. */
export interface FakeConfigurationStream {
  readonly request: ConfigurationRequest;
  readonly headers: IncomingHttpHeaders;
  send(configuration: MessageInitShape<typeof ConfigurationResponseSchema>): void;
  /** Any bytes as a message. */
  raw(data: Uint8Array): void;
  end(status?: GrpcStatus): void;
}

/** One GetObjectsToSynchronize stream as kas sees it. */
export interface FakeObjectsStream {
  readonly request: ObjectsToSynchronizeRequest;
  send(message: NonNullable<MessageInitShape<typeof ObjectsToSynchronizeResponseSchema>["message"]>): void;
  end(status?: GrpcStatus, trailer?: Metadata): void;
}

/** One report of a sync as kas sees it. */
export interface FakeReport {
  readonly sync: GitopsSync;
  readonly objects: readonly GitopsObject[];
  /** Everything that was sent. */
  readonly bytes: Buffer;
}

/** The agent's side of kas on a loopback port, driven by a test. */
export class FakeKas {
  readonly server: Http2Server = createServer(serverSessionOptions());
  readonly sessions: ServerHttp2Session[] = [];
  readonly tunnels: FakeTunnel[] = [];
  /** When set, each RPC ends with it at once. */
  refuse: GrpcStatus | undefined;
  /** Goes with the refusal. */
  refusalTrailer: Metadata = NO_METADATA;
  /** Headers that are sent when a tunnel opens; undefined: nothing before the call, as Go's kas does. */
  earlyHeader: Metadata | undefined = new Map([["kas-caps", ["half-close"]]]);
  /** What reports of syncs are answered with; default: this kas knows of no reports, as Go's. */
  takesReports: GrpcStatus = { code: 12, message: "unknown service kas.v1.GitopsReports" };
  /** What registrations are answered with; default: this kas knows of none, as Go's of 14.1. */
  registers: GrpcStatus = { code: 12, message: "unknown service gitlab.agent.agent_registrar.rpc.AgentRegistrar" };
  /** Every call of the registrar, also those that were refused: "Register" or "Unregister", and who. */
  readonly registrations: { readonly method: string; readonly podId: bigint; readonly podName: string | undefined }[] = [];
  /** Every report, also those that were refused. */
  readonly reports: FakeReport[] = [];
  readonly #waiting: ((tunnel: FakeTunnel) => void)[] = [];
  readonly #offered: FakeTunnel[] = [];
  readonly #configurations: FakeConfigurationStream[] = [];
  readonly #waitingConfigurations: ((stream: FakeConfigurationStream) => void)[] = [];
  readonly #objects: FakeObjectsStream[] = [];
  readonly #waitingObjects: ((stream: FakeObjectsStream) => void)[] = [];
  /** Headers of every tunnel that was refused. */
  readonly refused: IncomingHttpHeaders[] = [];
  #onRefused = (): void => {};
  #onOpened = (): void => {};

  static async listen(): Promise<FakeKas> {
    const kas = new FakeKas();
    kas.server.on("session", (session) => kas.sessions.push(session));
    kas.server.on("stream", (stream, headers) => {
      const path = String(headers[":path"]);
      if (kas.refuse) {
        new GrpcServerStream({ stream, headers }, { message: () => {} }).end(kas.refuse, kas.refusalTrailer);
        if (path.endsWith("/Connect")) kas.refused.push(headers);
        return kas.#onRefused();
      }
      if (path.endsWith("/Connect")) kas.#connect(stream, headers);
      else if (path.endsWith("/GetConfiguration")) kas.#configure(stream, headers);
      else if (path.endsWith("/GetObjectsToSynchronize")) kas.#synchronize(stream, headers);
      else if (path.includes(".AgentRegistrar/")) kas.#register(stream, headers);
      else if (path.endsWith("/ReportSync")) kas.#takeReport(stream, headers);
      else new GrpcServerStream({ stream, headers }, { message: () => {} }).end({ code: 12, message: path });
    });
    kas.server.listen(0, "127.0.0.1");
    await once(kas.server, "listening");
    return kas;
  }

  get port(): number {
    // The address of a listening TCP server is an AddressInfo.
    return (this.server.address() as AddressInfo).port;
  }

  /** The oldest open tunnel that was not taken from this fake yet. */
  async tunnel(): Promise<FakeTunnel> {
    for (;;) {
      const known = this.#offered.shift();
      const tunnel = known ?? (await new Promise<FakeTunnel>((resolve) => this.#waiting.push(resolve)));
      if (!tunnel.open) continue;
      await tunnel.next();
      return tunnel;
    }
  }

  /** The next GetConfiguration stream. */
  configuration(): Promise<FakeConfigurationStream> {
    const known = this.#configurations.shift();
    return known ? Promise.resolve(known) : new Promise((resolve) => this.#waitingConfigurations.push(resolve));
  }

  /** The next GetObjectsToSynchronize stream. */
  objects(): Promise<FakeObjectsStream> {
    const known = this.#objects.shift();
    return known ? Promise.resolve(known) : new Promise((resolve) => this.#waitingObjects.push(resolve));
  }

  /** Settles when there were so many tunnels in all. */
  async opened(count: number): Promise<void> {
    while (this.tunnels.length < count) await new Promise<void>((resolve) => (this.#onOpened = resolve));
  }

  /** Settles when so many tunnels were refused. */
  async refusals(count: number): Promise<void> {
    while (this.refused.length < count) await new Promise<void>((resolve) => (this.#onRefused = resolve));
  }

  /** Tunnels whose stream is open. */
  get openTunnels(): number {
    return this.tunnels.filter((tunnel) => tunnel.open).length;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    this.server.close();
    await once(this.server, "close");
  }

  #connect(stream: ConstructorParameters<typeof GrpcServerStream>[0]["stream"], headers: IncomingHttpHeaders): void {
    const session = stream.session;
    let settle = (_closedByAgent: boolean): void => {};
    const halfClosed = new Promise<boolean>((resolve) => (settle = resolve));
    const served = new GrpcServerStream(
      { stream, headers },
      { message: (data) => tunnel.onFrame(data), halfClose: () => settle(true), closed: () => settle(false) },
    );
    // A server stream is a ServerHttp2Stream, its session a ServerHttp2Session.
    const tunnel = new FakeTunnel(served, {
      headers,
      session: session as ServerHttp2Session | undefined,
      halfClosed,
      rstCode: () => stream.rstCode,
    });
    if (this.earlyHeader) served.sendHeader(this.earlyHeader);
    this.tunnels.push(tunnel);
    this.#onOpened();
    const give = this.#waiting.shift();
    if (give) give(tunnel);
    else this.#offered.push(tunnel);
  }

  #configure(stream: ConstructorParameters<typeof GrpcServerStream>[0]["stream"], headers: IncomingHttpHeaders): void {
    const served = new GrpcServerStream(
      { stream, headers },
      {
        message: (data) => {
          const opened: FakeConfigurationStream = {
            request: fromBinary(ConfigurationRequestSchema, data),
            headers,
            send: (init) => void served.write([toBinary(ConfigurationResponseSchema, create(ConfigurationResponseSchema, init))]),
            raw: (bytes) => void served.write([bytes]),
            end: (status = OK) => served.end(status),
          };
          const give = this.#waitingConfigurations.shift();
          if (give) give(opened);
          else this.#configurations.push(opened);
        },
      },
    );
  }

  #synchronize(stream: ConstructorParameters<typeof GrpcServerStream>[0]["stream"], headers: IncomingHttpHeaders): void {
    const served = new GrpcServerStream(
      { stream, headers },
      {
        message: (data) => {
          const opened: FakeObjectsStream = {
            request: fromBinary(ObjectsToSynchronizeRequestSchema, data),
            send: (message) =>
              void served.write([toBinary(ObjectsToSynchronizeResponseSchema, create(ObjectsToSynchronizeResponseSchema, { message }))]),
            end: (status = OK, trailer = NO_METADATA) => served.end(status, trailer),
          };
          const give = this.#waitingObjects.shift();
          if (give) give(opened);
          else this.#objects.push(opened);
        },
      },
    );
  }

  #register(stream: ConstructorParameters<typeof GrpcServerStream>[0]["stream"], headers: IncomingHttpHeaders): void {
    const served = new GrpcServerStream(
      { stream, headers },
      {
        message: (data) => {
          // Both requests have the same fields.
          const { podId, agentMeta } = fromBinary(RegisterRequestSchema, data);
          this.registrations.push({ method: String(headers[":path"]).split("/").at(-1) ?? "", podId, podName: agentMeta?.podName });
          if (this.registers.code === 0) served.write([toBinary(RegisterResponseSchema, create(RegisterResponseSchema))]);
          served.end(this.registers);
        },
      },
    );
  }

  #takeReport(stream: ConstructorParameters<typeof GrpcServerStream>[0]["stream"], headers: IncomingHttpHeaders): void {
    const messages: Buffer[] = [];
    const served = new GrpcServerStream(
      { stream, headers },
      {
        message: (data) => void messages.push(Buffer.from(data)),
        halfClose: () => {
          const pieces = messages.map((message) => fromBinary(ReportSyncRequestSchema, message).piece);
          const [first] = pieces;
          if (first?.case !== "sync") throw new Error("a report begins with a sync");
          const objects = pieces.flatMap((piece) => (piece.case === "objects" ? piece.value.objects : []));
          this.reports.push({ sync: first.value, objects, bytes: Buffer.concat(messages) });
          if (this.takesReports.code === 0) served.write([toBinary(ReportSyncResponseSchema, create(ReportSyncResponseSchema))]);
          served.end(this.takesReports);
        },
      },
    );
  }
}
