import { createHmac, timingSafeEqual } from "node:crypto";

const VALID_SECONDS = 30;

/**
 * Whether an `authorization` value is Gitaly's v2 token: `Bearer v2.<hex HMAC-SHA256(secret, seconds)>.<seconds>`, at most
 * 30 seconds away from now.
 */
export function isGitalyToken(authorization: string | null, options: { readonly secret: string; readonly nowMs: number }): boolean {
  const found = /^Bearer v2\.([0-9a-f]{64})\.(\d{1,12})$/i.exec(authorization ?? "");
  if (found?.[1] === undefined || found[2] === undefined) return false;
  const right = createHmac("sha256", options.secret).update(found[2]).digest();
  if (!timingSafeEqual(Buffer.from(found[1], "hex"), right)) return false;
  return Math.abs(options.nowMs / 1000 - Number(found[2])) <= VALID_SECONDS;
}
