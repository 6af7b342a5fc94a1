import { systemClock, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError } from "../base/kube-client.ts";
import type { KubeResponse } from "./kube-transport.ts";

/** Longer than any body that is not a watch takes on a working line; a slower one must not hold its share of the budget. */
const MAX_MS = 120_000;

/** How much of a body is read. */
export interface BodyLimits {
  readonly mostBytes: number;
  /** What all bodies that are being read share; absent: only `mostBytes` counts. */
  readonly budget?: ByteBudget;
  /** Measures the two minutes that a body may take. */
  readonly clock?: Clock;
}

/**
 * The whole body as text. What is too long is given up at the byte that is too much, or before the first one when its length is
 * announced; nothing is read of it after that.
 *
 * @throws KubeClientError `too_large`, `timeout`, or `connection` when it breaks off
 */
export async function readText(response: KubeResponse, limits: BodyLimits): Promise<string> {
  const { mostBytes, clock = systemClock } = limits;
  const held = limits.budget?.part();
  const late = new KubeClientError("timeout", words("answer/late"));
  let failure: KubeClientError | undefined;
  const giveUp = (error: KubeClientError): KubeClientError => {
    failure ??= error;
    response.close();
    return failure;
  };
  const cancel = clock.after(MAX_MS, () => void giveUp(late));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (Number(response.header("content-length")) > mostBytes) throw giveUp(tooLarge(mostBytes));
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw giveUp(tooLarge(mostBytes));
      if (held?.take(chunk.length) === false) throw giveUp(new KubeClientError("too_large", words("answer/too-much")));
      chunks.push(chunk);
    }
    if (failure) throw failure;
    return Buffer.concat(chunks, bytes).toString("utf8");
  } catch (error) {
    throw failure ?? new KubeClientError("connection", words("answer/broken"), { cause: error });
  } finally {
    cancel();
    held?.close();
  }
}

function tooLarge(mostBytes: number): KubeClientError {
  return new KubeClientError("too_large", words("answer/too-long", { size: sizeText(mostBytes) }));
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
