import type { ClientHttp2Session } from "node:http2";

import {
  CONNECT_REQUEST_MESSAGE,
  dialHttp2,
  encodeFrame,
  GrpcClientStream,
  metadataOfValues,
  valuesOfMetadata,
  wrapFrame,
  type GrpcStatus,
  type Metadata,
} from "@binnacle/grpc-wire";
import { ConnectRequestSchema, ConnectResponseSchema, type ConnectRequest } from "@binnacle/proto/reverse-tunnel";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";

/** Method every fake agent offers. */
export const ECHO = "/test.Echo/Echo";

/** One call as the agent sees it. */
export interface FakeAgentCall {
  readonly method: string;
  readonly metadata: Metadata;
  /** Called for each message of the caller. */
  onMessage: (data: Uint8Array) => void;
  onCloseSend: () => void;
  /** Called when kas ended the stream before the agent did. */
  onGone: (status: GrpcStatus) => void;
  send(msg: MessageInitShape<typeof ConnectRequestSchema>["msg"]): void;
  header(metadata?: Metadata): void;
  /** False: the window is full. */
  message(data: Uint8Array): boolean;
  /** Trailer, an error if `code` is not 0, and the end of the stream. */
  finish(code?: number, message?: string): void;
  readonly stream: GrpcClientStream;
}

/** How a fake agent behaves. */
export interface FakeAgentOptions {
  readonly token: string;
  readonly tunnels?: number;
  readonly instance?: string;
  /** PEM of the authority to trust. */
  readonly ca?: string;
  /** Full method names. */
  readonly methods?: readonly string[];
  /** More metadata of each tunnel, for example capabilities. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly onCall: (call: FakeAgentCall) => void;
  /** What it does when a tunnel has ended. Default: it opens another one at once. */
  readonly onEnd?: (tunnel: GrpcClientStream, end: GrpcStatus) => void;
}

/** An agent that speaks the wire of the reverse tunnel, and opens each tunnel again at once when it has ended. */
export class FakeAgent {
  readonly #session: ClientHttp2Session;
  readonly #options: FakeAgentOptions;
  /** How each tunnel ended, oldest first. */
  readonly ends: GrpcStatus[] = [];
  #stopped = false;

  private constructor(session: ClientHttp2Session, options: FakeAgentOptions) {
    this.#session = session;
    this.#options = options;
    session.on("error", () => undefined);
  }

  /** @param url `grpc://host:port`, `ws://…` */
  static async connect(url: string, options: FakeAgentOptions): Promise<FakeAgent> {
    const agent = new FakeAgent(await dialHttp2(url, { ca: options.ca }), options);
    for (let count = 0; count < (options.tunnels ?? 1); count += 1) agent.openTunnel();
    return agent;
  }

  /** Opens one more tunnel. */
  openTunnel(): GrpcClientStream {
    const { token, instance, methods = [ECHO], onCall } = this.#options;
    const metadata = new Map([["authorization", [`Bearer ${token}`]]]);
    if (instance !== undefined) metadata.set("agentk-instance", [instance]);
    for (const [key, value] of Object.entries(this.#options.metadata ?? {})) metadata.set(key, [value]);
    let call: FakeAgentCall | undefined;
    const stream = new GrpcClientStream(
      { session: this.#session, path: "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect", metadata },
      {
        message(data) {
          const { msg } = fromBinary(ConnectResponseSchema, data);
          if (msg.case === "requestInfo") {
            call = callOf(stream, { method: msg.value.methodName, metadata: metadataOfValues(msg.value.meta) });
            onCall(call);
          } else if (msg.case === "message") call?.onMessage(Buffer.from(msg.value.data));
          else if (msg.case === "closeSend") call?.onCloseSend();
        },
        end: (status) => {
          this.ends.push(status);
          call?.onGone(status);
          if (this.#options.onEnd) return this.#options.onEnd(stream, status);
          if (!this.#stopped && status.code !== 14 && status.code !== 16) setImmediate(() => this.#stopped || this.openTunnel());
        },
      },
    );
    const services = methods.map((method) => {
      const [, service = "", name = ""] = method.split("/");
      return { name: service, methods: [{ name }] };
    });
    stream.writeFrame(frameOf({ case: "descriptor", value: { agentDescriptor: { services } } }));
    return stream;
  }

  stop(): void {
    this.#stopped = true;
    this.#session.destroy();
  }
}

/** A ConnectRequest, ready to be written. */
export function frameOf(msg: MessageInitShape<typeof ConnectRequestSchema>["msg"]): Uint8Array[] {
  // `create` accepts every shape of the oneof; leaving msg out would be an empty message.
  const request: ConnectRequest = create(ConnectRequestSchema, msg === undefined ? {} : { msg });
  return encodeFrame([toBinary(ConnectRequestSchema, request)]);
}

function callOf(stream: GrpcClientStream, of: { readonly method: string; readonly metadata: Metadata }): FakeAgentCall {
  const send = (msg: MessageInitShape<typeof ConnectRequestSchema>["msg"]): void => void stream.writeFrame(frameOf(msg));
  return {
    ...of,
    stream,
    onMessage: () => undefined,
    onCloseSend: () => undefined,
    onGone: () => undefined,
    send,
    header: (metadata = new Map()) => send({ case: "header", value: { meta: valuesOfMetadata(metadata) } }),
    message: (data) => stream.writeFrame(wrapFrame(CONNECT_REQUEST_MESSAGE, [data])),
    finish(code = 0, message = "") {
      send({ case: "trailer", value: { meta: {} } });
      if (code !== 0) send({ case: "error", value: { status: { code, message } } });
      stream.closeSend();
    },
  };
}
