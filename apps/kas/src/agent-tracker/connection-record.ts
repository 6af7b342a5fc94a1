import { ConnectedAgentInfoSchema, type ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { ExpiringValueSchema } from "@binnacle/proto/redistool";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, timestampMs } from "@bufbuild/protobuf/wkt";

/** Key of the hash with the connections of an agent. */
export function connectionsOfAgentKey(prefix: string, agentId: bigint): string {
  return `${prefix}:binnacle:1:agent_tracker:conn_by_agent_id:${agentId}`;
}

/** Key of the hash with the connections of all agents of a configuration project. */
export function connectionsOfProjectKey(prefix: string, projectId: bigint): string {
  return `${prefix}:binnacle:1:agent_tracker:conn_by_project_id:${projectId}`;
}

/** A connection as the value of a hash field: protobuf, with its own expiry. */
export function encodeConnection(info: ConnectedAgentInfo, expiresAtMs: number): Buffer {
  const value = create(ExpiringValueSchema, { expiresAt: toTimestamp(expiresAtMs), value: anyPack(ConnectedAgentInfoSchema, info) });
  return Buffer.from(toBinary(ExpiringValueSchema, value));
}

/** @returns the connection and when it expires; `undefined` for bytes that are not one */
export function decodeConnection(bytes: Uint8Array): { readonly info: ConnectedAgentInfo; readonly expiresAtMs: number } | undefined {
  try {
    const { expiresAt, value } = fromBinary(ExpiringValueSchema, bytes);
    const info = value && anyUnpack(value, ConnectedAgentInfoSchema);
    return expiresAt && info ? { info, expiresAtMs: timestampMs(expiresAt) } : undefined;
  } catch {
    return undefined;
  }
}
