import { KasAddressSchema, KasInstanceInfoSchema, type KasAddress, type KasInstanceInfo } from "@binnacle/proto/kas";
import { ExpiringValueSchema } from "@binnacle/proto/redistool";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, timestampMs } from "@bufbuild/protobuf/wkt";

/** Key of the hash with every kas that runs; the field is its random id. */
export function instancesKey(prefix: string): string {
  return `${prefix}:binnacle:1:kas_instances`;
}

/** The address other kas dial, `grpc://host:port` or `grpcs://host:port`; undefined when there is none, or it names no port. */
export function kasAddressOf(urls: readonly string[]): KasAddress | undefined {
  const match = /^grpcs?:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(urls[0] ?? "");
  const ip = match?.[1] ?? match?.[2];
  return ip === undefined ? undefined : create(KasAddressSchema, { ip, port: Number(match?.[3]) });
}

/** A kas as the value of a hash field: protobuf, with its own expiry. */
export function encodeInstance(info: KasInstanceInfo, expiresAtMs: number): Buffer {
  const value = create(ExpiringValueSchema, { expiresAt: toTimestamp(expiresAtMs), value: anyPack(KasInstanceInfoSchema, info) });
  return Buffer.from(toBinary(ExpiringValueSchema, value));
}

/** @returns the kas and when it expires; `undefined` for bytes that are not one */
export function decodeInstance(bytes: Uint8Array): { readonly info: KasInstanceInfo; readonly expiresAtMs: number } | undefined {
  try {
    const { expiresAt, value } = fromBinary(ExpiringValueSchema, bytes);
    const info = value && anyUnpack(value, KasInstanceInfoSchema);
    return expiresAt && info ? { info, expiresAtMs: timestampMs(expiresAt) } : undefined;
  } catch {
    return undefined;
  }
}
