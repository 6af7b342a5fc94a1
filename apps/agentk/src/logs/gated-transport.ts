import { KubeClientError, type KubeResponse, type KubeTransport } from "@binnacle/environment-view/transport";
import { words } from "@binnacle/words";

import type { GatePlace, ReadGate } from "./read-gate.ts";

/** Limits that the reads of all calls share. */
export interface SharedLimits {
  readonly gate: ReadGate;
  readonly turns: TurnQueue;
}

/** Lines of so many bytes are split, filtered and merged in about a millisecond. */
const PIECE_BYTES = 32 * 1024;
const LOG_PATH = /^\/api\/v1\/namespaces\/[^/?]+\/pods\/[^/?]+\/log(?:\?|$)/;
const FOLLOWED = /[?&]follow=true(?:&|$)/;

/**
 * Queues each read of a log at the gate, and yields its bytes in small pieces: one per turn of the event loop over all reads.
 * Other requests pass unchanged. A read that must free its slot ends as `busy`, and its reader resumes from its position.
 */
export function gatedTransport(transport: KubeTransport, { gate, turns }: SharedLimits): KubeTransport {
  return {
    async request(request, signal) {
      if (!LOG_PATH.test(request.path)) return transport.request(request, signal);
      const place = await entered(gate.enter(FOLLOWED.test(request.path), signal));
      try {
        const response = await transport.request(request, AbortSignal.any([signal, place.cut]));
        return gated(response, place, turns);
      } catch (error) {
        place.leave();
        throw place.cut.aborted ? busy() : error;
      }
    },
  };
}

async function entered(entering: Promise<GatePlace>): Promise<GatePlace> {
  try {
    return await entering;
  } catch (error) {
    throw new KubeClientError("connection", words("request/aborted"), { cause: error, stage: "not_started" });
  }
}

function gated(response: KubeResponse, place: GatePlace, turns: TurnQueue): KubeResponse {
  return {
    status: response.status,
    header: (name) => response.header(name),
    body: piecesOf(response, place, turns),
    close() {
      place.leave();
      response.close();
    },
  };
}

async function* piecesOf({ body }: KubeResponse, place: GatePlace, turns: TurnQueue): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of body) {
      for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) {
        await turns.take();
        place.moved();
        yield chunk.subarray(start, start + PIECE_BYTES);
      }
    }
  } catch (error) {
    throw place.cut.aborted ? busy() : error;
  } finally {
    place.leave();
  }
}

function busy(): KubeClientError {
  return new KubeClientError("busy", words("answer/too-much"));
}

/** Admits one piece of work per turn of the event loop over all calls, so that other work of the agent waits for one piece at most. */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Resolves when the work may run. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
