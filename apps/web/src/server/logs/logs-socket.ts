import { LogsInputSchema, LogsOutputSchema, type ReadLogsRequest } from "@binnacle/proto/dashboard-logs";
import { Fault } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { WebSocket } from "ws";

import { sessionEnded } from "../base/session-ended.ts";
import { MAX_CREDIT_BYTES } from "../sockets/credited-output.ts";
import { MessageCredit } from "../sockets/message-credit.ts";
import { CLOSE, PageSocket } from "../sockets/page-socket.ts";
import type { SocketViewer } from "../sockets/socket-kind.ts";
import type { TicketClaims } from "../sockets/socket-tickets.ts";
import { MAX_REQUEST_BYTES } from "./logs-request.ts";
import { readLogsAsViewer, type ReadLogsContext } from "./read-logs-as-viewer.ts";

/** What logs of a socket are read with. */
export interface LogsSocketContext extends ReadLogsContext {
  readonly log: Logger;
}

/** A request with what is around it. */
export const MAX_LOGS_INPUT_BYTES = MAX_REQUEST_BYTES + 1024;
/** A page sends its request within this time. */
const REQUEST_MS = 10_000;
/** A page that grants nothing for so long is cut off: a browser answers pings of pages that it has frozen. */
const STALL_MS = 60_000;
const MAX_REASON_CHARACTERS = 2_000;

/** What a socket of logs works with. */
export interface LogsSocketParts {
  readonly context: LogsSocketContext;
  /** Its page. */
  readonly socket: WebSocket;
  readonly claims: TicketClaims;
  readonly viewer: SocketViewer;
}

/** How it ends: a name of a closed set, the close code, and the message for the page. */
interface Ended {
  readonly outcome: "ended" | "failed" | "signed_out" | "access_withdrawn" | "draining" | "idle" | "client_left" | "rejected";
  readonly close: number;
  readonly error?: ConnectError;
}

/**
 * One log on a socket: what `ReadLogs` sends, read only as far as the page has granted. Nothing is read ahead for a page: with its credit, the
 * reader of the log stands still.
 */
export class LogsSocket {
  readonly #parts: LogsSocketParts;
  readonly #page: PageSocket;
  readonly #credit = new MessageCredit(MAX_CREDIT_BYTES);
  readonly #request = Promise.withResolvers<ReadLogsRequest>();
  readonly #over = Promise.withResolvers<Ended>();
  readonly #stop = new AbortController();
  #hasRequest = false;

  constructor(parts: LogsSocketParts) {
    this.#parts = parts;
    this.#page = new PageSocket(parts.socket, {
      clock: parts.context.clock,
      events: {
        received: (message) => this.#receive(message),
        closed: () => this.#over.resolve({ outcome: "client_left", close: CLOSE.done }),
      },
    });
  }

  /** Settles with the outcome, of a closed set, when it has ended and nothing is read for it any more. Never rejects. */
  async run(): Promise<string> {
    const { viewer } = this.#parts;
    this.#endOn(viewer.signedOut, () => ({ outcome: "signed_out", close: CLOSE.signedOut, error: toConnectError(sessionEnded()) }));
    const restarts = new Fault("shutting_down", "the dashboard is being restarted");
    this.#endOn(viewer.restart, () => ({ outcome: "draining", close: CLOSE.restart, error: toConnectError(restarts) }));
    const served = this.#serve().then(
      () => this.#over.resolve({ outcome: "ended", close: CLOSE.done }),
      (error: unknown) => this.#over.resolve(this.#endOf(error)),
    );
    const { outcome, close, error } = await this.#over.promise;
    this.#stop.abort();
    if (outcome !== "client_left" && outcome !== "rejected") {
      const why = error === undefined ? {} : { code: error.code, message: error.rawMessage.slice(0, MAX_REASON_CHARACTERS) };
      this.#send({ case: "ended", value: why });
    }
    this.#page.close(close);
    await served;
    return outcome;
  }

  #endOn(signal: AbortSignal, ended: () => Ended): void {
    const over = (): void => this.#over.resolve(ended());
    if (signal.aborted) over();
    else signal.addEventListener("abort", over, { signal: this.#stop.signal });
  }

  /** Reads until all was read or the socket is over. @throws as `readLogsAsViewer`; Fault `environment_forbidden` for another environment */
  async #serve(): Promise<void> {
    const { context, claims, viewer } = this.#parts;
    const { signal } = this.#stop;
    const cancel = context.clock.after(REQUEST_MS, () => this.#reject());
    signal.addEventListener("abort", cancel);
    // What is over before a request has come leaves nothing to be served.
    const request = await Promise.race([this.#request.promise, this.#over.promise.then(() => undefined)]);
    cancel();
    if (request === undefined) return;
    if (request.projectPath !== claims.projectPath || request.environment !== claims.environment)
      throw new Fault("environment_forbidden", "The ticket of this socket is for another environment.");
    this.#send({ case: "response", value: {} });
    const { viewerAccess } = viewer;
    const room = (until: AbortSignal): Promise<void> => this.#granted(until);
    const messages = readLogsAsViewer(context, { viewerAccess, request, username: claims.viewer, room }, signal);
    for await (const message of messages) {
      if (signal.aborted) return;
      this.#send({ case: "response", value: message });
    }
  }

  async #granted(signal: AbortSignal): Promise<void> {
    if (!this.#credit.isSpent) return;
    const cancel = this.#parts.context.clock.after(STALL_MS, () => {
      const error = new ConnectError("The page has taken no lines for a minute.", Code.Unavailable);
      this.#over.resolve({ outcome: "idle", close: CLOSE.idle, error });
    });
    await this.#credit.available(signal);
    cancel();
  }

  #receive(bytes: Buffer): void {
    try {
      const { message } = fromBinary(LogsInputSchema, bytes);
      switch (message.case) {
        case "request":
          if (this.#hasRequest) return this.#reject();
          this.#hasRequest = true;
          return this.#request.resolve(message.value);
        case "credit":
          return this.#hasRequest ? this.#credit.grant(message.value) : this.#reject();
        default:
          return this.#reject();
      }
    } catch {
      this.#reject();
    }
  }

  /** A message that none of our pages sends. */
  #reject(): void {
    this.#over.resolve({ outcome: "rejected", close: CLOSE.protocol });
  }

  #endOf(error: unknown): Ended {
    if (!(error instanceof Fault) && !(error instanceof ConnectError)) this.#parts.context.log.error({ error }, "a socket of logs failed");
    const known = toConnectError(error);
    if (known.code === Code.Unauthenticated) return { outcome: "signed_out", close: CLOSE.signedOut, error: known };
    if (known.code === Code.PermissionDenied) return { outcome: "access_withdrawn", close: CLOSE.withdrawn, error: known };
    return { outcome: "failed", close: CLOSE.failed, error: known };
  }

  #send(message: MessageInitShape<typeof LogsOutputSchema>["message"] & object): void {
    const bytes = toBinary(LogsOutputSchema, create(LogsOutputSchema, { message }));
    this.#credit.take(bytes.length);
    this.#page.send(bytes);
  }
}
