import { createStatus, WatchLineError, WatchLineSplitter, type KubernetesStatus } from "@binnacle/kube";
import type { Logger } from "@binnacle/telemetry";
import type { WebSocket } from "ws";

import { parseClientMessage, watchRequestOf } from "./client-message.ts";
import type { WatchRequest, WatchUpstream } from "./watch-upstream.ts";

const MAX_WATCHES = 100;
const MAX_EVENT_BYTES = 4 * 1024 * 1024;

type WatchErrorType = "WATCH_NOT_ESTABLISHED" | "WATCH_FAILED";

/** The watches of one WebSocket. A watch that fails ends alone; the socket that closes ends them all. */
export class WatchSession {
  readonly #socket: WebSocket;
  readonly #upstream: WatchUpstream;
  readonly #log: Logger;
  readonly #watches = new Map<string, AbortController>();

  constructor(socket: WebSocket, upstream: WatchUpstream, log: Logger) {
    this.#socket = socket;
    this.#upstream = upstream;
    this.#log = log;
  }

  /** Begins to listen to the client. */
  start(): void {
    const socket = this.#socket;
    socket.on("message", (data, isBinary) => this.#onMessage(isBinary || !Buffer.isBuffer(data) ? undefined : data.toString()));
    socket.once("close", () => {
      for (const watch of this.#watches.values()) watch.abort();
      this.#watches.clear();
    });
  }

  #onMessage(data: string | undefined): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const message = data === undefined ? undefined : parseClientMessage(data);
    if (message === undefined) return this.#socket.close(1008, "this is no message of the watch API");
    const id = message.watch_id;
    if (message.type === "unwatch") {
      this.#watches.get(id)?.abort();
      this.#watches.delete(id);
      return;
    }
    const request = watchRequestOf(message.watch_params);
    if ("problem" in request) return this.#refuse(id, createStatus(400, request.problem));
    if (this.#watches.has(id)) return this.#refuse(id, createStatus(409, "there is a watch of this watch_id"), request);
    if (this.#watches.size >= MAX_WATCHES) return this.#refuse(id, createStatus(429, `a socket may have ${MAX_WATCHES} watches`), request);
    const ended = new AbortController();
    this.#watches.set(id, ended);
    void this.#watch(id, request, ended.signal).finally(() => {
      ended.abort();
      if (this.#watches.get(id) === ended) this.#watches.delete(id);
    });
  }

  /** Never rejects. */
  async #watch(watchId: string, request: WatchRequest, signal: AbortSignal): Promise<void> {
    let established = false;
    let status = createStatus(504, "the watch ended; watch again from the last resourceVersion");
    try {
      const lines = new WatchLineSplitter({ maxLineBytes: MAX_EVENT_BYTES });
      for await (const chunk of this.#upstream.watch(request, signal)) {
        established = true;
        for (const event of lines.push(chunk)) {
          if (signal.aborted) return;
          // Bookmarks are for kas' peers; GitLab's client takes one for an error.
          if (event.type === "BOOKMARK") continue;
          if (event.type === "ERROR") return await this.#sendError(watchId, "WATCH_FAILED", event.status);
          await this.#send({ watchId, type: "data", watchEvent: event });
        }
        if (signal.aborted) return;
      }
      established = true;
    } catch (error) {
      if (signal.aborted) return;
      status = this.#statusOfError(error);
    }
    if (!signal.aborted) await this.#sendError(watchId, established ? "WATCH_FAILED" : "WATCH_NOT_ESTABLISHED", status);
  }

  #statusOfError(error: unknown): KubernetesStatus {
    if (error instanceof WatchLineError) return createStatus(500, error.message);
    if (typeof error === "object" && error !== null && "status" in error && isStatus(error.status)) return error.status;
    this.#log.warn({ error }, "a watch of a WebSocket failed");
    return createStatus(502, "the cluster could not be reached");
  }

  #refuse(watchId: string, status: KubernetesStatus, request?: WatchRequest): void {
    this.#upstream.refused?.(status.code ?? 400, request);
    void this.#sendError(watchId, "WATCH_NOT_ESTABLISHED", status);
  }

  #sendError(watchId: string, type: WatchErrorType, status: KubernetesStatus): Promise<void> {
    return this.#send({ watchId, type: "error", error: { type, message: status.message, object: status } });
  }

  /** Settles when the socket has taken the message: a reader that is slow holds its own watches back. */
  #send(message: unknown): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(JSON.stringify(message), () => resolve());
    });
  }
}

function isStatus(value: unknown): value is KubernetesStatus {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "Status";
}
