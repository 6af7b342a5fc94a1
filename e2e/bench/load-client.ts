import { createHash } from "node:crypto";

import { Pool } from "undici";

/** Where a load goes. */
export interface LoadTarget {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a closed loop of small requests measured. Times in milliseconds. */
export interface SmallResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Closed loop: `concurrency` workers, each on a kept connection, one request after the other.
 *
 * @throws when an answer is not 200 or not `bytes` long: a cell with a mismatch has no figure
 */
export async function loadSmall(
  target: LoadTarget,
  options: { concurrency: number; seconds: number; bytes: number },
): Promise<SmallResult> {
  const pool = new Pool(target.origin, { connections: options.concurrency, pipelining: 1, allowH2: false });
  const latenciesMs: number[] = [];
  const warmUntil = performance.now() + 500;
  const until = warmUntil + options.seconds * 1000;
  const worker = async (): Promise<void> => {
    for (;;) {
      const started = performance.now();
      if (started >= until) return;
      const { statusCode, body } = await pool.request({ path: target.path, method: "GET", headers: { ...target.headers } });
      const { byteLength } = await body.arrayBuffer();
      if (statusCode !== 200 || byteLength !== options.bytes)
        throw new Error(`${target.path} answered ${statusCode} with ${byteLength} bytes`);
      if (started >= warmUntil) latenciesMs.push(performance.now() - started);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.concurrency }, worker));
  } finally {
    await pool.destroy();
  }
  return { requests: latenciesMs.length, seconds: options.seconds, latenciesMs };
}

/** One large GET. @returns milliseconds to the last byte and the SHA-256 of the body */
export async function loadLarge(target: LoadTarget): Promise<{ readonly ms: number; readonly bytes: number; readonly sha256: string }> {
  const pool = new Pool(target.origin, { connections: 1, allowH2: false });
  try {
    const started = performance.now();
    const { statusCode, body } = await pool.request({ path: target.path, method: "GET", headers: { ...target.headers } });
    if (statusCode !== 200) throw new Error(`${target.path} answered ${statusCode}`);
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of body) {
      // A body stream of undici yields Buffers.
      const buffer = chunk as Buffer;
      bytes += buffer.length;
      hash.update(buffer);
    }
    return { ms: performance.now() - started, bytes, sha256: hash.digest("hex") };
  } finally {
    await pool.destroy();
  }
}
