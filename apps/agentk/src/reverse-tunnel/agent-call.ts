import type { GrpcStatus, Metadata } from "@binnacle/grpc-wire";

/** A call of kas. */
interface AgentCallRequest {
  /** Full gRPC method, "/service/Method". */
  readonly method: string;
  readonly metadata: Metadata;
}

/** The way back to kas. Every method is safe after the end (and then does nothing). */
export interface AgentCallReply {
  /** Response headers; the first message sends them otherwise. */
  header(metadata: Metadata): void;
  /** One raw gRPC message given in pieces (they are not joined). False: stop until `onDrain` fires. */
  message(pieces: readonly Uint8Array[]): boolean;
  /** Called each time there is room again. */
  onDrain(resume: () => void): void;
  /** The connection is upgraded: from now on its bytes are passed to `upgradeData` as they come. */
  upgraded(): void;
  /** Stops and restarts what comes from kas. */
  pause(): void;
  resume(): void;
  /** Ends the call; nothing may follow. */
  end(status: GrpcStatus): void;
}

/** Receives what kas sends. Called synchronously. A Fault thrown from `message`, `upgradeData` or `closeSend` ends the call with its status. */
export interface AgentCallHandler {
  /** One raw gRPC message; a view: copy it to keep it. */
  message(data: Uint8Array): void;
  /** After `upgraded`: bytes of the connection out of a message that is not all there yet; a view. Others come as messages. */
  upgradeData?(bytes: Uint8Array): void;
  /** The caller sends no more messages. */
  closeSend(): void;
  /** The caller has disconnected, kas is gone, or this handler threw a Fault: stop at once, a response would not be read. Not called after `end`. */
  cancelled(): void;
}

/** Starts to answer a call. */
export type AgentMethod = (request: AgentCallRequest, reply: AgentCallReply) => AgentCallHandler;

/** The methods of this agent by full name, "/service/Method". */
export type AgentMethods = ReadonlyMap<string, AgentMethod>;
