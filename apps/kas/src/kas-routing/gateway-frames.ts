import {
  automatonOf,
  encodeFrame,
  GATEWAY_MESSAGE,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  metadataOfValues,
  unwrapBytes,
  valuesOfMetadata,
  wrapFrame,
  type BytesPath,
  type GrpcStatus,
  type Metadata,
} from "@binnacle/grpc-wire";
import { GatewayKasResponseSchema, type GatewayKasResponse } from "@binnacle/proto/gateway";
import { Fault } from "@binnacle/rpc";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

import type { AnswerField, WatchBudget } from "../agent-call/agent-call.ts";
import { grpcStatusOf, statusMessageOf } from "../agent-call/status-details.ts";
import type { PermanentCause, TunnelNeed } from "../reverse-tunnel/agent-tunnels.ts";

/** Number of `message` in GatewayKasResponse. */
export const GATEWAY_MESSAGE_FIELD = 3;
/** Bytes of an HTTP answer inside of the message of a gateway. */
export const GATEWAY_BYTES: Readonly<Record<AnswerField, BytesPath>> = {
  data: [...GATEWAY_MESSAGE, ...HTTP_RESPONSE_DATA],
  upgradeData: [...GATEWAY_MESSAGE, ...HTTP_RESPONSE_UPGRADE_DATA],
};

/** What may follow what in the answers of a gateway. */
export const GATEWAY_ORDER = automatonOf(GatewayKasResponseSchema);

/** Metadata in which a routing kas names the agent, and the replica if a particular one is meant. Agents never see them. */
export const HOP_AGENT_KEY = "kas-hop-routing-agent-id";
export const HOP_CONNECTION_KEY = "kas-hop-connection-id";
/** Set to "1" when the agent must be able to impersonate a user. */
export const HOP_IMPERSONATION_KEY = "kas-hop-impersonation";
/** Set to "1" when the agent must be able to upgrade connections. */
export const HOP_UPGRADE_KEY = "kas-hop-upgrade";
/** Who asks, for how long, how urgent: `encodeCallContext`. */
export const HOP_CONTEXT_KEY = "kas-hop-context";
/** Header and trailer with the reason of a gateway without a free tunnel; with a status other than OK, the reason of its refusal. */
export const HOP_OUTCOME_KEY = "kas-hop-outcome";
/** Trailer that goes with a refusal: when to come again, in seconds. */
export const HOP_RETRY_KEY = "kas-hop-retry-after";
/** Names a tunnel that was kept for this call after a wait. */
export const HOP_TICKET_KEY = "kas-hop-ticket";
/** Method of the call that waits for a tunnel. */
export const HOP_METHOD_KEY = "kas-hop-method";
/** Trailer with the stage that the call reached. Absent: unknown. */
export const HOP_STAGE_KEY = "kas-hop-stage";
/** Trailer that names the party whose silence made the gateway end the call: "agent" or "cluster". */
export const HOP_SILENT_KEY = "kas-hop-silent";
/** Header that is "1" for an agent that is an agentk of this project. */
export const HOP_OURS_KEY = "kas-hop-agent-is-ours";
/** Header with the watch budget of the gateway: "<limit>;free=<n>". */
export const HOP_BUDGET_KEY = "kas-hop-watch-budget";

/** Metadata that names what a call needs of a tunnel. */
export function needMetadataOf(need: Omit<TunnelNeed, "context">): Map<string, readonly string[]> {
  const metadata = new Map<string, readonly string[]>([[HOP_AGENT_KEY, [String(need.agentId)]]]);
  if (need.connectionId !== undefined) metadata.set(HOP_CONNECTION_KEY, [String(need.connectionId)]);
  if (need.impersonation === true) metadata.set(HOP_IMPERSONATION_KEY, ["1"]);
  if (need.upgrade === true) metadata.set(HOP_UPGRADE_KEY, ["1"]);
  return metadata;
}

/** The agent has no tunnel there, none that is free, or none that will ever do (`outdated`: a kas that gives no more detail). */
export type NoTunnelReason = "absent" | "busy" | "outdated" | PermanentCause;

const REASONS: ReadonlySet<string> = new Set<NoTunnelReason>([
  "absent",
  "busy",
  "outdated",
  "cannot_impersonate",
  "cannot_upgrade",
  "unknown_method",
  "replica_not_addressable",
]);

/** The reason in the metadata of a gateway; "absent" without a known one. */
export function noTunnelReasonOf(metadata: Metadata): NoTunnelReason {
  const reason = metadata.get(HOP_OUTCOME_KEY)?.[0] ?? "";
  return isReason(reason) ? reason : "absent";
}

/** A watch budget as a header. */
export function encodeWatchBudget({ limit, free }: WatchBudget): string {
  return `${limit};free=${free}`;
}

/** Opposite of `encodeWatchBudget`; `undefined` for what is none. */
export function decodeWatchBudget(text: string | undefined): WatchBudget | undefined {
  const parts = /^(\d{1,5});free=(\d{1,5})$/.exec(text ?? "");
  return parts ? { limit: Number(parts[1]), free: Number(parts[2]) } : undefined;
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
      return { kind: "error", field: 5, status: msg.value.status ? grpcStatusOf(msg.value.status) : { code: 2, message: "" } };
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

/** Ready to be written: a piece of an answer's body or of an upgraded connection, not copied, as a message of its own. */
export function gatewayBodyFrame(bytes: Uint8Array, field: AnswerField): Uint8Array[] {
  return wrapFrame(GATEWAY_BYTES[field], [bytes]);
}

/** Ready to be written: the call failed. */
export function gatewayErrorFrame(status: GrpcStatus): Uint8Array[] {
  const value = { status: statusMessageOf(status) };
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

function isReason(text: string): text is NoTunnelReason {
  return REASONS.has(text);
}
