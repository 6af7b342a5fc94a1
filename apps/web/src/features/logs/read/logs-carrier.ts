import type { Logs, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Code, ConnectError, type Client } from "@connectrpc/connect";
import type { LogsStreamRequest } from "./log-request.ts";
import { readLogsSocket, SocketNotOpened, type LogsWebSocket } from "./logs-socket.ts";

const TICKET_MS = 30_000;
/** So many sockets in a row that do not open, after one that did, are no restart of the server any more. */
const MAX_FAILURES = 3;
/** A log that has just been left gives its place back within this time. */
const PLACE_MS = 1_000;
/** Web Locks of this name are shared by all pages of the browser. */
const PLACE = "binnacle logs";

/** The messages when reading does not begin, or ends. */
interface CarrierWords {
  readonly broken: () => string;
  /** Another log of this browser has the only stream that there may be. */
  readonly onlyOne: () => string;
}

/** What logs are carried with. */
export interface LogsCarrierOptions {
  readonly client: () => Pick<Client<typeof Logs>, "openLogs" | "readLogs">;
  readonly connect: (ticket: string) => LogsWebSocket;
  readonly words: CarrierWords;
  /** Absent where a browser has none, outside of secure contexts: then the place is one of this page. */
  readonly locks: Pick<LockManager, "request"> | undefined;
}

/**
 * Carries logs over a socket each; where none opens, over a stream of Connect, of which a browser has one at most, since it has six connections
 * to a server over HTTP/1.1. That no socket opens is remembered for the page.
 */
export class LogsCarrier {
  readonly #options: LogsCarrierOptions;
  #sockets: "unknown" | "open" | "blocked" = "unknown";
  #failures = 0;
  #hasPlace = false;

  constructor(options: LogsCarrierOptions) {
    this.#options = options;
  }

  /** Reads logs. @throws ConnectError as the call `ReadLogs`; `ResourceExhausted` when another log has the only stream */
  async *read(request: LogsStreamRequest, signal: AbortSignal): AsyncGenerator<ReadLogsResponse> {
    const { words } = this.#options;
    if (this.#sockets !== "blocked") {
      try {
        for await (const message of this.#overSocket(request, signal)) {
          this.#sockets = "open";
          this.#failures = 0;
          yield message;
        }
        return;
      } catch (error) {
        if (!isWithoutSockets(error)) throw error;
        this.#failures += 1;
        // A server that restarts answers no handshake either.
        if (this.#sockets === "open" && this.#failures < MAX_FAILURES) throw new ConnectError(words.broken(), Code.Unavailable);
        this.#sockets = "unknown";
      }
    }
    yield* this.#overStream(request, signal);
  }

  async *#overSocket(request: LogsStreamRequest, signal: AbortSignal): AsyncGenerator<ReadLogsResponse> {
    const { client, connect, words } = this.#options;
    const { projectPath = "", environment = "" } = request;
    const { ticket } = await client().openLogs({ projectPath, environment }, { signal, timeoutMs: TICKET_MS });
    yield* readLogsSocket(connect(ticket), { request, broken: words.broken, signal });
  }

  async *#overStream(request: LogsStreamRequest, signal: AbortSignal): AsyncGenerator<ReadLogsResponse> {
    const { client, words } = this.#options;
    const leave = await this.#takePlace(signal);
    if (leave === undefined) throw new ConnectError(words.onlyOne(), Code.ResourceExhausted);
    try {
      for await (const message of client().readLogs(request, { signal })) {
        // The server is there, and it was not when it restarted.
        this.#sockets = "blocked";
        yield message;
      }
    } finally {
      leave();
    }
  }

  /** @returns gives the place back; `undefined`: another log has it */
  async #takePlace(signal: AbortSignal): Promise<(() => void) | undefined> {
    const { locks } = this.#options;
    if (locks === undefined) {
      if (this.#hasPlace) return undefined;
      this.#hasPlace = true;
      return () => (this.#hasPlace = false);
    }
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(PLACE_MS)]);
    return new Promise((resolve) => {
      const granted = (): Promise<void> => new Promise<void>((leave) => resolve(leave));
      locks.request(PLACE, { signal: waiting }, granted).catch(() => resolve(undefined));
    });
  }
}

/** Whether reading over a stream may help. A server of an older release has no tickets. */
function isWithoutSockets(error: unknown): boolean {
  return error instanceof SocketNotOpened || (error instanceof ConnectError && error.code === Code.Unimplemented);
}
