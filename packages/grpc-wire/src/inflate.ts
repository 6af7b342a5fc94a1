import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";

import { Fault } from "@binnacle/rpc";

/** More than this is inflated off the event loop: a few hundred bytes can unpack to megabytes. */
const INLINE_BYTES = 64 * 1024;

const gunzipLater = promisify(gunzip);

/**
 * Unpacks gzip in this turn of the event loop.
 *
 * @returns undefined when it is more than `INLINE_BYTES`, of which nothing was kept
 * @throws Fault `message_too_large`, `invalid_request`
 */
export function inflateNow(packed: Uint8Array, maxBytes: number): Uint8Array | undefined {
  if (packed.byteLength > INLINE_BYTES) return undefined;
  try {
    return gunzipSync(packed, { maxOutputLength: Math.min(INLINE_BYTES, maxBytes) });
  } catch (error) {
    if (isTooLarge(error) && maxBytes > INLINE_BYTES) return undefined;
    throw faultOf(error, maxBytes);
  }
}

/** Unpacks gzip on another thread. @throws Fault `message_too_large`, `invalid_request` */
export async function inflateLater(packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await gunzipLater(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    throw faultOf(error, maxBytes);
  }
}

/** zlib's `ERR_BUFFER_TOO_LARGE`. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError;
}

function faultOf(error: unknown, maxBytes: number): Fault {
  return isTooLarge(error)
    ? new Fault("message_too_large", `an inflated message is larger than the limit of ${maxBytes}`, { cause: error })
    : new Fault("invalid_request", "a compressed message cannot be inflated", { cause: error });
}
