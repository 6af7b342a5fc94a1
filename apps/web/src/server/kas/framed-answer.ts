import { KubeClientError, type KubeResponse, type KubeTransport } from "@binnacle/environment-view";
import { createStatus } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

const LENGTH_BYTES = 4;
/** kas sends a heartbeat each 10 s; a stream whose connection is half dead has none. */
const SILENCE_MS = 35_000;

/** A request to kas itself whose answer is a stream of frames. */
export interface FramedRequest {
  readonly path: string;
  /** Accepted content type. */
  readonly accept: string;
  /** One protobuf message. */
  readonly body: Uint8Array;
  readonly maxFrameBytes: number;
}

/**
 * The frames of a stream of kas: what stands behind each length (4 bytes, big-endian).
 *
 * @throws KubeClientError `api` with the status of a rejected request, `too_large` for a frame beyond its bound, `timeout` when nothing comes for 35 s,
 *   `connection` when the stream breaks off, which its end is too
 */
export async function* framesOfKas(
  { transport, clock }: { readonly transport: KubeTransport; readonly clock: Clock },
  { path, accept, body, maxFrameBytes }: FramedRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  // The request only reads: it may be repeated with a fresh credential.
  const request = { method: "POST", path, accept, contentType: "application/protobuf", purpose: "proof", body: once(body) } as const;
  const response = await transport.request(request, signal);
  if (response.status !== 200) {
    response.close();
    throw new KubeClientError("api", words("answer/no-object", { path }), { status: createStatus(response.status, "refused") });
  }
  try {
    yield* framesIn(untilSilent(response, clock), maxFrameBytes);
  } catch (error) {
    if (error instanceof KubeClientError) throw error;
    throw new KubeClientError("connection", words("answer/watch-broken"), { cause: error });
  } finally {
    response.close();
  }
  throw new KubeClientError("connection", words("answer/watch-broken"));
}

/** The body of an answer, which is given up when nothing comes for too long while it is awaited. */
async function* untilSilent(response: KubeResponse, clock: Clock): AsyncGenerator<Uint8Array, void, void> {
  let isSilent = false;
  const silent = (): void => {
    isSilent = true;
    response.close();
  };
  let cancel = clock.after(SILENCE_MS, silent);
  try {
    for await (const chunk of response.body) {
      cancel();
      yield chunk;
      cancel = clock.after(SILENCE_MS, silent);
    }
  } catch (error) {
    throw isSilent ? new KubeClientError("timeout", words("request/no-answer-in-time"), { cause: error }) : error;
  } finally {
    cancel();
  }
}

async function* framesIn(body: AsyncIterable<Uint8Array>, maxFrameBytes: number): AsyncGenerator<Uint8Array, void, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < LENGTH_BYTES) break;
      const length = rest.readUInt32BE(0);
      if (length > maxFrameBytes) throw new KubeClientError("too_large", words("answer/line-too-long"));
      if (rest.length < LENGTH_BYTES + length) break;
      yield rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
      rest = rest.subarray(LENGTH_BYTES + length);
    }
    // What came in is only good until more comes.
    rest = Buffer.from(rest);
  }
}

/** For a body that may be sent twice. */
function once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
