import type { ClientHttp2Session } from "node:http2";

import { fromBinary, create, toBinary } from "@bufbuild/protobuf";
import {
  automatonOf,
  CONNECT_REQUEST_MESSAGE,
  CONNECT_RESPONSE_MESSAGE,
  GRPC_CODE,
  GrpcClientStream,
  metadataOfValues,
  NO_METADATA,
  peekField,
  readRequestInfo,
  statusOfThrown,
  StreamAutomaton,
  TUNNELLED_REQUEST_UPGRADE_DATA,
  unwrapBytes,
  wrapFrame,
  type GrpcStatus,
  type Metadata,
  encodeFrame,
  valuesOfMetadata,
} from "@binnacle/grpc-wire";
import { ConnectResponseSchema, type ConnectResponse, ConnectRequestSchema, type ConnectRequest } from "@binnacle/proto/reverse-tunnel";
import { Fault, type Clock } from "@binnacle/rpc";

import type { AgentCallHandler, AgentCallReply, AgentMethods } from "./agent-call.ts";

const CONNECT = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";
const CONNECT_RESPONSE = automatonOf(ConnectResponseSchema);
const FIELD = { requestInfo: 1, message: 2, closeSend: 3 } as const;
/** Tag and length of a message without content. */
const EMPTY_BYTES = 2;

/** How long kas may take to end a stream whose sending side we have closed. */
const LINGER_MS = 10_000;

/**
 * Why a tunnel ended: `used` it carried a call (however that ended: a cancelled call is normal) · `unused` kas or we closed it while idle ·
 * `failed` kas refused it, or the connection broke, before it carried anything.
 */
export type TunnelEnd =
  | { readonly kind: "used" | "unused" }
  | { readonly kind: "failed"; readonly status: GrpcStatus; readonly trailer: Metadata; readonly isCut: boolean };

/** Tells the pool about a tunnel. */
export interface TunnelListener {
  /** kas has accepted the tunnel (only kas that send headers early tell). */
  accepted(): void;
  /** The tunnel carries a call from now on. */
  taken(): void;
  /** Exactly once, last. */
  ended(end: TunnelEnd): void;
}

/** What a tunnel needs. */
export interface TunnelOptions {
  readonly session: ClientHttp2Session;
  readonly metadata: Metadata;
  readonly methods: AgentMethods;
  readonly clock: Clock;
}

/** One `Connect` stream: `idle` → `busy` (one call) → `ended`, or `idle` → `closing` → `ended`. */
export class Tunnel implements AgentCallReply {
  readonly #options: TunnelOptions;
  readonly #listener: TunnelListener;
  readonly #stream: GrpcClientStream;
  readonly #automaton = new StreamAutomaton(CONNECT_RESPONSE);
  #state: "idle" | "busy" | "closing" | "ended" = "idle";
  #handler: AgentCallHandler | undefined;
  /** kas has announced that an idle tunnel may be half-closed. */
  #mayHalfClose = false;
  #headerSent = false;
  #replied = false;
  #used = false;
  #cancelLinger = (): void => {};

  constructor(options: TunnelOptions, listener: TunnelListener) {
    this.#options = options;
    this.#listener = listener;
    this.#stream = new GrpcClientStream(
      { session: options.session, path: CONNECT, metadata: options.metadata },
      {
        header: (metadata) => {
          this.#mayHalfClose = acceptsHalfClose(metadata);
          listener.accepted();
        },
        message: (data) => this.#onFrame(data),
        piece: (bytes) => this.#onPiece(bytes),
        end: (status, trailer, isCut) => this.#onEnd(status, trailer, isCut),
      },
    );
    this.#stream.writeFrame(descriptorFrame(options.methods));
  }

  get state(): "idle" | "busy" | "closing" | "ended" {
    return this.#state;
  }

  /** Session it runs on. */
  get session(): ClientHttp2Session {
    return this.#options.session;
  }

  /**
   * Gives an idle tunnel back. To a kas that allows it by half-close: a call that is on its way meanwhile finds another tunnel. Others get a
   * reset (CANCEL), which their registry understands: the end of the stream right after the descriptor breaks their order of frames, and they
   * notice only when they have assigned the tunnel to a request.
   */
  retire(): void {
    if (this.#state !== "idle") return;
    this.#state = "closing";
    if (this.#mayHalfClose) this.#closeSend();
    else this.#stream.cancel();
  }

  /** Breaks the tunnel off, and the call it carries. */
  cancel(): void {
    this.#stream.cancel();
  }

  #onFrame(data: Uint8Array): void {
    try {
      const peeked = peekField(data);
      if (peeked === FIELD.message) {
        const message = unwrapBytes(CONNECT_RESPONSE_MESSAGE, data);
        if (message) return this.#onMessage(message);
      }
      const request = peeked === FIELD.requestInfo ? readRequestInfo(data) : undefined;
      if (request) return this.#onRequest(request);
      if (peeked === FIELD.closeSend && data.byteLength === EMPTY_BYTES) return this.#onCloseSend();
      this.#onDecoded(decode(data));
    } catch (error) {
      this.#broken(error);
    }
  }

  /** Bytes of an upgraded connection, out of a message that is not all there yet. */
  #onPiece(bytes: Uint8Array): void {
    try {
      this.#automaton.check(FIELD.message);
      if (!this.#replied) this.#handler?.upgradeData?.(bytes);
    } catch (error) {
      this.#broken(error);
    }
  }

  /** What kas sent makes no sense: the call, if there is one, is cancelled, and the stream ends. @throws what is no Fault */
  #broken(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    if (this.#state !== "busy" || this.#replied) return this.#stream.cancel();
    this.end(statusOfThrown(error));
    this.#handler?.cancelled();
  }

  #onDecoded(response: ConnectResponse): void {
    switch (response.msg.case) {
      case "requestInfo":
        return this.#onRequest({ method: response.msg.value.methodName, metadata: metadataOfValues(response.msg.value.meta) });
      case "message":
        return this.#onMessage(response.msg.value.data);
      case "closeSend":
        return this.#onCloseSend();
      case undefined:
        return this.#automaton.check(0);
    }
  }

  #onMessage(message: Uint8Array): void {
    this.#automaton.check(FIELD.message);
    if (!this.#replied) this.#handler?.message(message);
  }

  #onCloseSend(): void {
    this.#automaton.check(FIELD.closeSend);
    if (!this.#replied) this.#handler?.closeSend();
  }

  #onRequest(request: { readonly method: string; readonly metadata: Metadata }): void {
    this.#automaton.check(FIELD.requestInfo);
    if (this.#state !== "idle") return;
    this.#state = "busy";
    this.#used = true;
    this.#listener.taken();
    const method = this.#options.methods.get(request.method);
    if (!method) return this.end({ code: GRPC_CODE.unimplemented, message: `this agent has no method ${request.method}` });
    this.#handler = method(request, this);
  }

  /** Of the reply to the call it carries, like the five after it. */
  header(metadata: Metadata): void {
    if (this.#headerSent || this.#replied) return;
    this.#headerSent = true;
    this.#stream.writeFrame(headerFrame(metadata));
  }

  message(pieces: readonly Uint8Array[]): boolean {
    if (this.#replied) return true;
    this.header(NO_METADATA);
    return this.#stream.writeFrame(wrapFrame(CONNECT_REQUEST_MESSAGE, pieces));
  }

  onDrain(resume: () => void): void {
    this.#stream.onDrain(resume);
  }

  upgraded(): void {
    this.#stream.cutThrough([TUNNELLED_REQUEST_UPGRADE_DATA]);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  end(status: GrpcStatus): void {
    if (this.#replied || this.#state === "ended") return;
    // A header even before an error: Go's kas knows no error straight after the descriptor (docs/design/contract.md "Frame order").
    this.header(NO_METADATA);
    this.#replied = true;
    this.#stream.writeFrame(trailerFrame());
    if (status.code !== GRPC_CODE.ok) this.#stream.writeFrame(errorFrame(status));
    this.#closeSend();
    // The rest of the request is discarded; paused, the stream would never end.
    this.#stream.resume();
  }

  #closeSend(): void {
    this.#stream.closeSend();
    this.#cancelLinger = this.#options.clock.after(LINGER_MS, () => this.#stream.cancel());
  }

  #onEnd(status: GrpcStatus, trailer: Metadata, isCut: boolean): void {
    this.#cancelLinger();
    const before = this.#state;
    this.#state = "ended";
    if (before === "busy" && !this.#replied) {
      this.#replied = true;
      this.#handler?.cancelled();
    }
    if (this.#used) return this.#listener.ended({ kind: "used" });
    if (before === "closing" || status.code === GRPC_CODE.ok) return this.#listener.ended({ kind: "unused" });
    this.#listener.ended({ kind: "failed", status, trailer, isCut });
  }
}

function decode(data: Uint8Array): ConnectResponse {
  try {
    return fromBinary(ConnectResponseSchema, data);
  } catch (error) {
    throw new Fault("invalid_request", "a tunnel message cannot be read", { cause: error });
  }
}

/** Whether the kas that sent these response headers lets an idle tunnel be given back by half-close. @see KAS_CAPABILITIES in kas */
function acceptsHalfClose(header: Metadata): boolean {
  return (header.get("kas-caps") ?? []).some((value) => value.split(",").some((word) => word.trim() === "half-close"));
}

const descriptors = new WeakMap<AgentMethods, readonly Uint8Array[]>();

/** Frame that tells kas which methods this agent has; encoded once for thousands of tunnels. */
function descriptorFrame(methods: AgentMethods): readonly Uint8Array[] {
  let frame = descriptors.get(methods);
  if (frame === undefined) {
    frame = encodeDescriptor(methods.keys());
    descriptors.set(methods, frame);
  }
  return frame;
}

function encodeDescriptor(methods: Iterable<string>): Uint8Array[] {
  const services = new Map<string, string[]>();
  for (const method of methods) {
    const [, service = "", name = ""] = method.split("/");
    services.set(service, [...(services.get(service) ?? []), name]);
  }
  const described = [...services].map(([name, names]) => ({ name, methods: names.map((method) => ({ name: method })) }));
  return frameOf({ case: "descriptor", value: { agentDescriptor: { services: described } } });
}

const NO_HEADER = frameOf({ case: "header", value: {} });
const TRAILER = frameOf({ case: "trailer", value: {} });

/** Frame with the response headers of a call. */
function headerFrame(metadata: Metadata): readonly Uint8Array[] {
  if (metadata.size === 0) return NO_HEADER;
  return frameOf({ case: "header", value: { meta: valuesOfMetadata(metadata) } });
}

/** Frame that ends the messages of a call. */
function trailerFrame(): readonly Uint8Array[] {
  return TRAILER;
}

/** Frame that fails a call. */
function errorFrame(status: GrpcStatus): Uint8Array[] {
  return frameOf({ case: "error", value: { status: { code: status.code, message: status.message } } });
}

type FrameInit = NonNullable<Parameters<typeof create<typeof ConnectRequestSchema>>[1]>["msg"];

function frameOf(msg: NonNullable<FrameInit>): Uint8Array[] {
  const message: ConnectRequest = create(ConnectRequestSchema, { msg });
  return encodeFrame([toBinary(ConnectRequestSchema, message)]);
}
