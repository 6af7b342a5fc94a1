import type { LogPosition, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Code, type ConnectError } from "@connectrpc/connect";
import { followStream } from "../../live/reconnect.ts";
import type { LogStore } from "../store/log-store.ts";

/** Opens the stream. @param positions where to continue; empty at the beginning */
export type OpenLogs = (positions: readonly LogPosition[], signal: AbortSignal) => AsyncIterable<ReadLogsResponse>;

/** A stream that has much waiting gives the page its turn after this time. */
const TURN_MS = 12;

/** What is rejected in the same manner as long as the request is the same. */
const FINAL: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.FailedPrecondition,
  Code.OutOfRange,
  Code.Unimplemented,
]);

/** Reads logs into a store, and opens the stream again after any break, with the positions of the store: no line is lost or comes twice. */
export class LogReader {
  readonly #store: LogStore;
  readonly #open: OpenLogs;
  readonly #now: () => number;
  #reading = new AbortController();

  /** @param now milliseconds since 1970 */
  constructor(store: LogStore, open: OpenLogs, now: () => number) {
    this.#store = store;
    this.#open = open;
    this.#now = now;
  }

  /** Reads from the positions of the store on, also after an end. */
  start(): void {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    if (this.#store.snapshot().reading.kind !== "loading") this.#store.setReading({ kind: "loading" });
    void this.#follow(reading.signal); // it reports its errors to the store
  }

  /** Ends reading. */
  stop(): void {
    this.#reading.abort();
  }

  /** Goes on after a pause; reads on where the store had no room for more. */
  resume(): void {
    const wasFull = this.#store.snapshot().reading.kind === "full";
    this.#store.resume();
    if (wasFull) this.start();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const store = this.#store;
    await followStream<ReadLogsResponse>(
      {
        open: (inner) => {
          store.beginStream();
          return inTurns(this.#open(store.positions(), inner));
        },
        take: (message) => {
          store.take(message);
          if (!store.isFull) return true;
          store.setReading({ kind: "full" });
          return false;
        },
        lost: (reason) => {
          const { reading } = store.snapshot();
          store.setReading({ kind: "lost", reason, sinceMs: reading.kind === "lost" ? reading.sinceMs : this.#now() });
        },
        unauthenticated: () => store.setReading({ kind: "session-ended" }),
        isFinal: (error) => {
          if (error === undefined) store.setReading({ kind: "ended" });
          else if (isFinal(error)) {
            store.setReading({ kind: "rejected", reason: error.rawMessage, isDenied: error.code === Code.PermissionDenied });
          } else return false;
          return true;
        },
      },
      signal,
    );
  }
}

function isFinal({ code }: ConnectError): boolean {
  return FINAL.has(code);
}

/** What is there already comes without a turn of the event loop: input and frames would wait for all of it. */
async function* inTurns<M>(messages: AsyncIterable<M>): AsyncGenerator<M> {
  let began = performance.now();
  for await (const message of messages) {
    yield message;
    if (performance.now() - began < TURN_MS) continue;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
    began = performance.now();
  }
}
