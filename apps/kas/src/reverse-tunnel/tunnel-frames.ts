import {
  automatonOf,
  CONNECT_REQUEST_MESSAGE,
  CONNECT_RESPONSE_MESSAGE,
  encodeFrame,
  metadataOfValues,
  NO_METADATA,
  peekField,
  unwrapBytes,
  requestInfoFrameOf,
  wrapFrame,
  type GrpcStatus,
  type Metadata,
} from "@binnacle/grpc-wire";
import { ConnectRequestSchema, ConnectResponseSchema, DescriptorSchema } from "@binnacle/proto/reverse-tunnel";
import { Fault } from "@binnacle/rpc";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

import { grpcStatusOf } from "../agent-call/status-details.ts";

/** What may follow what on the agent's side of a tunnel. */
export const CONNECT_REQUEST_ORDER = automatonOf(ConnectRequestSchema);

const DESCRIPTOR_FIELD = 1;
/** Tags of fields 2 and 4, length-delimited. */
const HEADER_TAG = 0x12;
const TRAILER_TAG = 0x22;
/** Number of `message` in ConnectRequest. */
export const MESSAGE_FIELD = 3;

/** One message of an agent; `field` is its number in ConnectRequest, for the order check. */
export type AgentFrame =
  | { readonly kind: "descriptor"; readonly field: 1; /** A `Descriptor` message, not decoded. */ readonly descriptor: Uint8Array }
  | { readonly kind: "header"; readonly field: 2; readonly metadata: Metadata }
  | { readonly kind: "message"; readonly field: 3; readonly data: Uint8Array }
  | { readonly kind: "trailer"; readonly field: 4; readonly metadata: Metadata }
  | { readonly kind: "error"; readonly field: 5; readonly status: GrpcStatus };

/** @throws Fault `frame_order` for bytes that are no ConnectRequest, or one that lacks what it must have */
export function decodeAgentFrame(bytes: Uint8Array): AgentFrame {
  const data = unwrapBytes(CONNECT_REQUEST_MESSAGE, bytes);
  // An empty message is no message at all: let protobuf-es say what it is.
  if (data !== undefined && bytes.byteLength > 0) return { kind: "message", field: 3, data };
  const descriptor = peekField(bytes) === DESCRIPTOR_FIELD ? unwrapBytes([DESCRIPTOR_FIELD], bytes) : undefined;
  if (descriptor !== undefined) return { kind: "descriptor", field: 1, descriptor };
  // Most agents have no metadata to tell.
  if (bytes.byteLength === 2 && bytes[1] === 0) {
    if (bytes[0] === HEADER_TAG) return { kind: "header", field: 2, metadata: NO_METADATA };
    if (bytes[0] === TRAILER_TAG) return { kind: "trailer", field: 4, metadata: NO_METADATA };
  }
  const { msg } = decodeConnectRequest(bytes);
  switch (msg.case) {
    case "descriptor":
      return { kind: "descriptor", field: 1, descriptor: toBinary(DescriptorSchema, msg.value) };
    case "header":
      return { kind: "header", field: 2, metadata: metadataOfValues(msg.value.meta) };
    case "message":
      return { kind: "message", field: 3, data: msg.value.data };
    case "trailer":
      return { kind: "trailer", field: 4, metadata: metadataOfValues(msg.value.meta) };
    case "error":
      if (!msg.value.status) break;
      return { kind: "error", field: 5, status: grpcStatusOf(msg.value.status) };
    case undefined:
      break;
  }
  throw new Fault(
    "frame_order",
    `a ConnectRequest ${msg.case === undefined ? "has nothing in it" : `lacks the content of its ${msg.case}`}`,
  );
}

const CLOSE_SEND = encodeFrame([toBinary(ConnectResponseSchema, create(ConnectResponseSchema, { msg: { case: "closeSend", value: {} } }))]);

/** First message of a call, ready to be written. */
export function requestInfoFrame(method: string, metadata: Metadata): Uint8Array[] {
  return [requestInfoFrameOf(method, metadata)];
}

/** One message of a call, ready to be written; the pieces are not joined. */
export function messageFrame(pieces: readonly Uint8Array[]): Uint8Array[] {
  return wrapFrame(CONNECT_RESPONSE_MESSAGE, pieces);
}

/**
 * An invalid message of every type: its first byte is a tag of a wire type that does not exist. A receiver that decodes it ends the call with
 * an error, which is the only method to stop an unfinished request at an agent that ignores a reset.
 */
export function brokenMessageFrame(): Uint8Array[] {
  return messageFrame([Uint8Array.of(0x07)]);
}

/** End of the caller's messages, ready to be written. */
export function closeSendFrame(): readonly Uint8Array[] {
  return CLOSE_SEND;
}

function decodeConnectRequest(bytes: Uint8Array): ReturnType<typeof fromBinary<typeof ConnectRequestSchema>> {
  try {
    return fromBinary(ConnectRequestSchema, bytes);
  } catch (error) {
    throw new Fault("frame_order", "a message of a tunnel is not a ConnectRequest", { cause: error });
  }
}
