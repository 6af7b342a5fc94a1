import {
  automatonOf,
  CONNECT_REQUEST_MESSAGE,
  CONNECT_RESPONSE_MESSAGE,
  encodeFrame,
  metadataOfValues,
  peekField,
  unwrapBytes,
  valuesOfMetadata,
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

/** First message of a call, ready to be written. */
export function requestInfoFrame(method: string, metadata: Metadata): Uint8Array[] {
  const value = { methodName: method, meta: valuesOfMetadata(metadata) };
  return encodeFrame([toBinary(ConnectResponseSchema, create(ConnectResponseSchema, { msg: { case: "requestInfo", value } }))]);
}

/** One message of a call, ready to be written; the pieces are not joined. */
export function messageFrame(pieces: readonly Uint8Array[]): Uint8Array[] {
  return wrapFrame(CONNECT_RESPONSE_MESSAGE, pieces);
}

/** End of the caller's messages, ready to be written. */
export function closeSendFrame(): Uint8Array[] {
  return encodeFrame([toBinary(ConnectResponseSchema, create(ConnectResponseSchema, { msg: { case: "closeSend", value: {} } }))]);
}

function decodeConnectRequest(bytes: Uint8Array): ReturnType<typeof fromBinary<typeof ConnectRequestSchema>> {
  try {
    return fromBinary(ConnectRequestSchema, bytes);
  } catch (error) {
    throw new Fault("frame_order", "a message of a tunnel is not a ConnectRequest", { cause: error });
  }
}
