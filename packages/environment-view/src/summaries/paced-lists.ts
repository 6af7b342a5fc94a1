import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { AGENT_WAIT_MS, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { apiCodeOf, KubeClientError, type KindListRequest, type KubeClient } from "../base/kube-client.ts";
import { Semaphore } from "../limits/semaphore.ts";
import { PAGE_SIZE } from "../reflector/page-filling.ts";
import type { RequestPace } from "../limits/request-pace.ts";

/** At a time, for one identity. */
const CONCURRENT_READS = 4;
/** A page is given up after this: kas has reported by then that the agent is not connected, and a page of pods takes some seconds. */
const PAGE_TIMEOUT_MS = AGENT_WAIT_MS + 20_000;
/** The metadata of one object is there sooner: a kind that does not answer keeps a look waiting no longer. */
const COUNT_TIMEOUT_MS = 10_000;
/** More than a look is worth. */
const MAX_PAGES = 2_000;

/** What lists are made with. */
export interface PacedListsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Shared by all who read by samples through this agent. */
  readonly pace: RequestPace;
}

/** What a probe has found. */
export interface KindCount {
  /** How many there are, at least. */
  readonly count: number;
  /** The server has reported the number, and did not only hint at more. */
  readonly exact: boolean;
}

/** Lists at the pace of a sample: a turn before each request, few at a time, none that waits for ever. */
export class PacedLists {
  readonly #options: PacedListsOptions;
  readonly #semaphore = new Semaphore(CONCURRENT_READS);

  constructor(options: PacedListsOptions) {
    this.#options = options;
  }

  /** How many there are, by one metadata-only request. @throws KubeClientError */
  async count(kind: ResourceKind, namespace: string, signal: AbortSignal): Promise<KindCount> {
    const page = await this.#page({ kind, namespace, limit: 1, metadataOnly: true }, signal, COUNT_TIMEOUT_MS);
    const { length } = page.items;
    if (page.continueToken === "") return { count: length, exact: true };
    return { count: length + Math.max(1, page.remaining ?? 1), exact: page.remaining !== undefined };
  }

  /** All objects, page by page. A list that expires on the way begins anew, once. @throws KubeClientError */
  async *list(
    { kind, namespace, metadataOnly }: Pick<KindListRequest, "kind" | "namespace" | "metadataOnly">,
    signal: AbortSignal,
  ): AsyncGenerator<readonly KubeObject[] | "again"> {
    let again = false;
    let token: string | undefined;
    for (let pages = 0; token !== ""; pages += 1) {
      if (pages >= MAX_PAGES) throw new KubeClientError("too_large", words("answer/endless-list", { resource: kind.resource }));
      try {
        const request = { kind, namespace, limit: PAGE_SIZE, metadataOnly };
        const page = await this.#page(token === undefined ? request : { ...request, continueToken: token }, signal);
        token = page.continueToken;
        yield page.items;
      } catch (error) {
        if (apiCodeOf(error) !== 410 || again) throw error;
        again = true;
        token = undefined;
        yield "again";
      }
    }
  }

  async #page(request: KindListRequest, signal: AbortSignal, timeoutMs = PAGE_TIMEOUT_MS): ReturnType<KubeClient["list"]> {
    const { client, clock, pace } = this.#options;
    return this.#semaphore.run(async () => {
      await pace.turn(signal);
      if (signal.aborted) throw new KubeClientError("connection", words("request/not-wanted"));
      const attempt = new AbortController();
      const abort = (): void => attempt.abort();
      const cancel = clock.after(timeoutMs, abort);
      signal.addEventListener("abort", abort, { once: true });
      try {
        return await client.list(request, attempt.signal);
      } catch (error) {
        if (attempt.signal.aborted && !signal.aborted)
          throw new KubeClientError("timeout", words("request/no-answer-in-time"), { cause: error });
        throw error;
      } finally {
        cancel();
        signal.removeEventListener("abort", abort);
      }
    });
  }
}
