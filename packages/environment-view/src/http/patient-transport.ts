import { Patience, sleep, systemClock, type Clock } from "@binnacle/rpc";

import { KubeClientError } from "../base/kube-client.ts";
import type { KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";
import { readText } from "./read-body.ts";

const TOO_MANY_REQUESTS = 429;
/** Longer refusals are cut, and their connection with them. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** A client that probes the connection reports it as slow after half of its time limit. */
const SHARE_OF_HASTE = 1 / 3;

/** How patient a transport is. */
export interface PatientTransportOptions {
  /** All waits of one request together, in milliseconds; after that the refusal is the answer. */
  readonly mostMs: number;
  /** Each attempt waits for its turn, a watch as one. Default: at once. */
  readonly pace?: { turn(signal: AbortSignal): Promise<void> };
  readonly clock?: Clock;
  /** 0 ≤ random() < 1; a test passes a fixed one. */
  readonly random?: () => number;
}

/**
 * Repeats a request that an API server (429 with `Retry-After`: priority and fairness) or kas had no capacity for, after the stated time.
 * Such a request had no effect, so a change may be repeated as well; the caller sees the rejection only when it lasts. A request with a
 * streamed body is sent once: the body is used up.
 */
export function createPatientTransport(transport: KubeTransport, options: PatientTransportOptions): KubeTransport {
  const { pace, clock = systemClock, random } = options;
  return {
    async request(request, signal) {
      const patience = new Patience({ maxMs: mostMsOf(request, options.mostMs), ...(random === undefined ? {} : { random }) });
      for (;;) {
        await pace?.turn(signal);
        const attempt = await attemptOf(transport.request(request, signal));
        const delayMs = typeof request.body === "object" ? undefined : patience.nextMs(attempt.retryAfter);
        if (delayMs === undefined) return attempt.answer();
        attempt.discard();
        await sleep(clock, delayMs, signal);
      }
    },
  };
}

function mostMsOf({ answerWithinSeconds }: KubeRequest, mostMs: number): number {
  return answerWithinSeconds === undefined ? mostMs : Math.min(mostMs, answerWithinSeconds * 1_000 * SHARE_OF_HASTE);
}

/** What came of one attempt. */
interface Attempt {
  /** When to come back, for one that did nothing. */
  readonly retryAfter: string | undefined;
  /** @throws KubeClientError when there was no answer */
  readonly answer: () => KubeResponse;
  readonly discard: () => void;
}

async function attemptOf(pending: Promise<KubeResponse>): Promise<Attempt> {
  try {
    const response = await pending;
    return {
      retryAfter: response.status === TOO_MANY_REQUESTS ? response.header("retry-after") : undefined,
      answer: () => response,
      // Read to its end, it leaves its connection to the next request.
      discard: () => void readText(response, { mostBytes: MAX_REFUSAL_BYTES }).catch(() => ""),
    };
  } catch (error) {
    return {
      retryAfter: retryAfterOf(error),
      answer: () => {
        throw error;
      },
      discard: () => {},
    };
  }
}

/** What kas refuses for the moment, before anything has begun. */
function retryAfterOf(error: unknown): string | undefined {
  if (!(error instanceof KubeClientError) || error.failure !== "busy" || error.stage !== "not_started") return undefined;
  const { status, retryAfterSeconds } = error;
  return status?.code === TOO_MANY_REQUESTS && retryAfterSeconds !== undefined ? String(retryAfterSeconds) : undefined;
}
