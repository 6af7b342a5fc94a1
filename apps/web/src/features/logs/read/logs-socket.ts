import { LogsInputSchema, LogsOutputSchema, type LogsOutput, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { LogsStreamRequest } from "./log-request.ts";

/** The server counts no more. */
const WINDOW_BYTES = 64 * 1024;
/** Granted again in pieces of this size, not for each message. */
const GRANT_BYTES = 16 * 1024;
/** The first message comes at once: a socket without it for so long does not work here. */
const FIRST_MESSAGE_MS = 10_000;

/** Close codes of the server, which it may have sent without a message before. */
const CODES: Readonly<Record<number, Code>> = { 4401: Code.Unauthenticated, 4403: Code.PermissionDenied };

/** What is used of a WebSocket. */
export type LogsWebSocket = Pick<WebSocket, "binaryType" | "readyState" | "send" | "close" | "addEventListener">;

/** The socket was closed without a message: a proxy lets none through, or the server is not there. */
export class SocketNotOpened extends Error {}

/**
 * Reads logs on a socket, which is closed when reading ends. Bytes are granted as they are taken: what is not taken is not sent.
 *
 * @param broken the message for a broken connection, for people
 * @throws SocketNotOpened; ConnectError as the call `ReadLogs`
 */
export async function* readLogsSocket(
  socket: LogsWebSocket,
  { request, broken, signal }: { readonly request: LogsStreamRequest; readonly broken: () => string; readonly signal: AbortSignal },
): AsyncGenerator<ReadLogsResponse> {
  const inbox = new Inbox(socket, broken);
  const opened = (): void => {
    send(socket, { case: "request", value: request });
    send(socket, { case: "credit", value: WINDOW_BYTES });
  };
  socket.addEventListener("open", opened);
  const abort = (): void => inbox.abort(new ConnectError("reading was ended", Code.Canceled));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const timer = setTimeout(() => inbox.end(new SocketNotOpened()), FIRST_MESSAGE_MS);
  let taken = 0;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const next = await inbox.next();
      if (next === undefined) return;
      clearTimeout(timer);
      // It only says that the socket works.
      if (!isFirst) yield next.response;
      taken += next.bytes;
      if (taken < GRANT_BYTES) continue;
      send(socket, { case: "credit", value: taken });
      taken = 0;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    socket.close(1000);
  }
}

/** A message of a log, and its bytes on the wire. */
interface Received {
  readonly response: ReadLogsResponse;
  readonly bytes: number;
}

/** Messages that have come and are not taken: as many as were granted. */
class Inbox {
  readonly #waiting: Received[] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #hasMessage = false;
  readonly #broken: () => string;
  #changed = (): void => undefined;

  constructor(socket: LogsWebSocket, broken: () => string) {
    this.#broken = broken;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) this.#receive(new Uint8Array(data));
    });
    socket.addEventListener("close", ({ code }: CloseEvent) =>
      this.end(this.#hasMessage ? new ConnectError(broken(), CODES[code] ?? Code.Unavailable) : new SocketNotOpened()),
    );
  }

  /** The next message; `undefined` when all was read. @throws what it has ended with */
  async next(): Promise<Received | undefined> {
    while (this.#waiting.length === 0 && this.#end === undefined)
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    const first = this.#waiting.shift();
    if (first === undefined && this.#end?.error !== undefined) throw this.#end.error;
    return first;
  }

  /** What has come is still taken; the first end counts. @param error absent: all was read */
  end(error: Error | undefined): void {
    this.#end ??= { error };
    this.#changed();
  }

  /** What has come and was not taken is dropped: its place is behind the positions. */
  abort(error: Error): void {
    this.#waiting.length = 0;
    this.#end = { error };
    this.#changed();
  }

  #receive(data: Uint8Array): void {
    if (this.#end !== undefined) return;
    this.#hasMessage = true;
    const message = messageIn(data);
    if (message === undefined) return this.end(new ConnectError(this.#broken(), Code.Unavailable));
    if (message.case === "response") this.#waiting.push({ response: message.value, bytes: data.length });
    if (message.case === "ended") {
      const { code, message: why } = message.value;
      // A code of gRPC is one of Connect.
      return this.end(code === 0 ? undefined : new ConnectError(why, code));
    }
    this.#changed();
  }
}

/** @returns `undefined` for bytes that are no message: the connection is of no more use */
function messageIn(data: Uint8Array): LogsOutput["message"] | undefined {
  try {
    return fromBinary(LogsOutputSchema, data).message;
  } catch {
    return undefined;
  }
}

function send(socket: LogsWebSocket, message: MessageInitShape<typeof LogsInputSchema>["message"] & object): void {
  if (socket.readyState === 1) socket.send(toBinary(LogsInputSchema, create(LogsInputSchema, { message })));
}
