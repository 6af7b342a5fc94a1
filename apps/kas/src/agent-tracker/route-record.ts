import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import { parseJson } from "@binnacle/kube";
import type { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import type { KasRoute } from "./route-store.ts";

/** Key of the hash with the kas instances that hold tunnels of an agent; the braces keep it in one slot of a cluster. */
export function routesOfAgentKey(prefix: string, agentId: bigint): string {
  return `${prefix}:binnacle:1:{a${agentId}}:routes`;
}

/** Channel for changes of the routes of an agent; the message is the agent id. */
export function routesChannel(prefix: string): string {
  return `${prefix}:binnacle:1:routes:changes`;
}

/**
 * Key that signs route entries, derived from the secret that kas instances share. A client that can write to Redis
 * but does not know the secret cannot make kas send a token and a user's data to an address of its choice.
 *
 * @param secret bytes as base64 text
 */
export function routeKeyOf(secret: Secret): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", Buffer.from(secret.reveal(), "base64"), "", "binnacle route entries 1", 32));
}

/** A route as it stands in Redis. */
export interface RouteEntry extends KasRoute {
  readonly agentId: bigint;
  readonly expiresAtMs: number;
}

// Unknown fields are those of a newer kas: they are signed, so they are let through and not looked at.
const payloadSchema = z.object({
  v: z.literal(1),
  agent: z.string(),
  kas: z.string().min(1).max(64),
  urls: z
    .array(
      z
        .string()
        .regex(/^grpcs?:\/\/[^/@?#]+$/)
        .max(512),
    )
    .min(1)
    .max(8),
  draining: z.boolean().default(false),
  epoch: z.number().int().default(0),
  expires: z.number().int(),
});

/** `<MAC in base64url>.<JSON>`. */
export function encodeRoute(key: Uint8Array, entry: RouteEntry): Buffer {
  const { agentId, kasId, urls, draining, epoch, expiresAtMs } = entry;
  const payload = JSON.stringify({ v: 1, agent: String(agentId), kas: kasId, urls, draining, epoch, expires: expiresAtMs });
  return Buffer.from(`${macOf(key, payload).toString("base64url")}.${payload}`);
}

/** @returns the entry; `undefined` when it was not signed with one of `keys`, or belongs to another agent */
export function decodeRoute(keys: readonly Uint8Array[], agentId: bigint, bytes: Buffer): RouteEntry | undefined {
  if (bytes.length > 8_192) return undefined;
  const text = bytes.toString("utf8");
  const dot = text.indexOf(".");
  const payload = text.slice(dot + 1);
  const mac = Buffer.from(text.slice(0, Math.max(dot, 0)), "base64url");
  if (mac.length !== 32 || !keys.some((key) => timingSafeEqual(mac, macOf(key, payload)))) return undefined;
  const parsed = payloadSchema.safeParse(parseJson(payload));
  if (!parsed.success || parsed.data.agent !== String(agentId)) return undefined;
  const { kas, urls, draining, epoch, expires } = parsed.data;
  return { agentId, kasId: kas, urls, draining, epoch, expiresAtMs: expires };
}

function macOf(key: Uint8Array, payload: string): Buffer {
  return createHmac("sha256", key).update(payload).digest();
}
