import { createHash } from "node:crypto";

import { ActionOutcome, ActRequestSchema, ActResponseSchema, type ActRequest, type ActResponse } from "@binnacle/proto/dashboard";
import { Fault, type Clock } from "@binnacle/rpc";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";

/** How long a request id is remembered, and the result of its request is returned again. */
const RETENTION_MS = 5 * 60 * 1000;
const MAX_REQUESTS = 10_000;
/** The result of an edit has both of its documents. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Of an entry without its result. */
const ENTRY_BYTES = 256;

interface RememberedRequest {
  /** Hash of the request. */
  readonly content: string;
  /** As it is sent; absent: a repeated request is performed again. */
  readonly result?: Uint8Array;
}

interface RunningRequest {
  readonly content: string;
  readonly result: Promise<ActResponse>;
}

/** What `Act` works with to perform a request once. */
export interface ResultsContext {
  readonly actionResults: ActionResults;
}

/**
 * Results of actions in this process, so that a repeated request needs none to the cluster. That an action has its effect once does not depend on it: a
 * repeated request that is not remembered reads the object first.
 */
export class ActionResults {
  /** By viewer and request id. */
  readonly #remembered: LRUCache<string, RememberedRequest>;
  readonly #running = new Map<string, RunningRequest>();

  constructor(clock: Clock) {
    this.#remembered = new LRUCache({
      max: MAX_REQUESTS,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ result }) => ENTRY_BYTES + (result?.byteLength ?? 0),
      ttl: RETENTION_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now() },
    });
  }

  /**
   * Performs a request, or returns the result that it had. A request that is repeated while it is running waits for the first one, and is performed by
   * itself when that has an unknown outcome or fails. Done and conflict are cached; a rejected request has changed nothing, so it is decided again.
   *
   * @param viewer whose request it is: no other viewer gets its result
   * @throws Fault `invalid_request` for another request with the same id; what `perform` throws
   */
  async once(
    { viewer, request }: { readonly viewer: string; readonly request: ActRequest },
    perform: () => Promise<ActResponse>,
  ): Promise<ActResponse> {
    const key = JSON.stringify([viewer, request.requestId]);
    const content = createHash("sha256").update(toBinary(ActRequestSchema, request)).digest("base64url");
    for (;;) {
      const running = this.#running.get(key);
      const known = running ?? this.#remembered.get(key);
      if (known !== undefined && known.content !== content)
        throw new Fault("invalid_request", "another request had this request id: preview the action again");
      if (running === undefined) break;
      const result = await running.result.catch(() => undefined);
      if (result !== undefined && result.outcome !== ActionOutcome.UNKNOWN) return result;
    }
    const cached = this.#remembered.get(key)?.result;
    if (cached !== undefined) return fromBinary(ActResponseSchema, cached);
    this.#remembered.set(key, { content });
    const result = this.#performed(key, content, perform);
    this.#running.set(key, { content, result });
    return result;
  }

  async #performed(key: string, content: string, perform: () => Promise<ActResponse>): Promise<ActResponse> {
    try {
      const result = await perform();
      const isSettled = result.outcome === ActionOutcome.DONE || result.outcome === ActionOutcome.CONFLICT;
      if (isSettled) this.#remembered.set(key, { content, result: toBinary(ActResponseSchema, result) });
      return result;
    } finally {
      this.#running.delete(key);
    }
  }
}
