import {
  automatonOf,
  encodeFrame,
  GATEWAY_MESSAGE,
  metadataOfValues,
  unwrapBytes,
  valuesOfMetadata,
  wrapFrame,
  type GrpcStatus,
  type Metadata,
} from "@binnacle/grpc-wire";
import { GatewayKasResponseSchema, type GatewayKasResponse } from "@binnacle/proto/gateway";
import { Fault } from "@binnacle/rpc";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

/** What may follow what in the answers of a gateway. */
export const GATEWAY_ORDER = automatonOf(GatewayKasResponseSchema);

/** Metadata in which a routing kas names the agent, and the replica if a particular one is meant. Agents never see them. */
export const HOP_AGENT_KEY = "kas-hop-routing-agent-id";
export const HOP_CONNECTION_KEY = "kas-hop-connection-id";
/** Set to "1" when the agent must be able to act as somebody else. */
export const HOP_IMPERSONATION_KEY = "kas-hop-impersonation";
/** Who asks, for how long, how urgent: `encodeCallContext`. */
export const HOP_CONTEXT_KEY = "kas-hop-context";
/** Header and trailer in which a gateway without a free tunnel says why. */
export const HOP_OUTCOME_KEY = "kas-hop-outcome";

/** The agent has no tunnel there, none that offers the method, or none that is free. */
export type NoTunnelReason = "absent" | "outdated" | "busy";

/** What a gateway said; "absent" if it said nothing. */
export function noTunnelReasonOf(metadata: Metadata): NoTunnelReason {
  const reason = metadata.get(HOP_OUTCOME_KEY)?.[0];
  return reason === "busy" || reason === "outdated" ? reason : "absent";
}

/** One answer of a gateway; `field` is its number in GatewayKasResponse, for the order check. */
export type GatewayFrame =
  | { readonly kind: "tunnelReady"; readonly field: 1 }
  | { readonly kind: "header"; readonly field: 2; readonly metadata: Metadata }
  | { readonly kind: "message"; readonly field: 3; readonly data: Uint8Array }
  | { readonly kind: "trailer"; readonly field: 4; readonly metadata: Metadata }
  | { readonly kind: "error"; readonly field: 5; readonly status: GrpcStatus }
  | { readonly kind: "noTunnel"; readonly field: 6 };

/** @throws Fault `frame_order` for bytes that are no GatewayKasResponse */
export function decodeGatewayFrame(bytes: Uint8Array): GatewayFrame {
  const data = unwrapBytes(GATEWAY_MESSAGE, bytes);
  if (data !== undefined && bytes.byteLength > 0) return { kind: "message", field: 3, data };
  const { msg } = decodeResponse(bytes);
  switch (msg.case) {
    case "tunnelReady":
      return { kind: "tunnelReady", field: 1 };
    case "header":
      return { kind: "header", field: 2, metadata: metadataOfValues(msg.value.meta) };
    case "message":
      return { kind: "message", field: 3, data: msg.value.data };
    case "trailer":
      return { kind: "trailer", field: 4, metadata: metadataOfValues(msg.value.meta) };
    case "error":
      return { kind: "error", field: 5, status: { code: msg.value.status?.code ?? 2, message: msg.value.status?.message ?? "" } };
    case "noTunnel":
      return { kind: "noTunnel", field: 6 };
    default:
      throw new Fault("frame_order", "a GatewayKasResponse has nothing in it");
  }
}

/** Ready to be written: a tunnel is reserved, or none is free. */
export function gatewaySignalFrame(kind: "tunnelReady" | "noTunnel"): Uint8Array[] {
  return encode(create(GatewayKasResponseSchema, { msg: kind === "tunnelReady" ? { case: kind, value: {} } : { case: kind, value: {} } }));
}

/** Ready to be written: headers or trailers of the agent. */
export function gatewayMetadataFrame(kind: "header" | "trailer", metadata: Metadata): Uint8Array[] {
  const value = { meta: valuesOfMetadata(metadata) };
  return encode(create(GatewayKasResponseSchema, { msg: kind === "header" ? { case: kind, value } : { case: kind, value } }));
}

/** Ready to be written: one message of the agent, not copied. */
export function gatewayMessageFrame(data: Uint8Array): Uint8Array[] {
  return wrapFrame(GATEWAY_MESSAGE, [data]);
}

/** Ready to be written: the call failed. */
export function gatewayErrorFrame(status: GrpcStatus): Uint8Array[] {
  const value = { status: { code: status.code, message: status.message } };
  return encode(create(GatewayKasResponseSchema, { msg: { case: "error", value } }));
}

function encode(response: GatewayKasResponse): Uint8Array[] {
  return encodeFrame([toBinary(GatewayKasResponseSchema, response)]);
}

function decodeResponse(bytes: Uint8Array): GatewayKasResponse {
  try {
    return fromBinary(GatewayKasResponseSchema, bytes);
  } catch (error) {
    throw new Fault("frame_order", "a kas sent something that is not a GatewayKasResponse", { cause: error });
  }
}
