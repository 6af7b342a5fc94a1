import type { IncomingMessage } from "node:http";

import { apiFailureOf, KubeClientError } from "@binnacle/environment-view";
import { words } from "@binnacle/words";
import type { WebSocket } from "ws";

import { headerOf, type DialSocket, type HttpDialer } from "../http/http-dialer.ts";
import { isRefusedByKas } from "./kas-transport.ts";

/** A WebSocket to the Kubernetes API. */
export type KasSocketRequest = Pick<DialSocket, "path" | "protocols" | "mostMessageBytes">;

/** What sockets are opened with. */
export interface KasSocketOptions {
  readonly dialer: HttpDialer;
  /** Headers of the viewer's credential; with `renew` fresh ones, or `undefined` when there are none. */
  readonly headers: (ask: { renew: boolean; signal: AbortSignal }) => Promise<Record<string, string> | undefined>;
}

/**
 * Opens a WebSocket to the Kubernetes API behind kas's k8s-proxy, with the viewer's credential, which is renewed once when kas rejects it: an
 * upgrade that was rejected has had no effect. The socket is paused until its caller resumes it, and is cut when `signal` aborts. A response that
 * is no 101 is thrown as of any other request, and its connection is not used again.
 *
 * @throws KubeClientError; Fault as `headers`
 */
export async function openKasSocket(options: KasSocketOptions, request: KasSocketRequest, signal: AbortSignal): Promise<WebSocket> {
  for (const renew of [false, true]) {
    const credential = await options.headers({ renew, signal });
    if (credential === undefined) break;
    const opened = await dial(options.dialer, { ...request, headers: credential }, signal);
    if ("socket" in opened) return opened.socket;
    const { response } = opened;
    if (!isRefusedByKas(response)) throw await failureOf(response);
    response.destroy();
  }
  throw new KubeClientError("unauthorized", words("request/credential-refused"), { stage: "not_started" });
}

/** A socket, or the response that came instead. */
type Opened = { readonly socket: WebSocket } | { readonly response: IncomingMessage };

async function dial(dialer: HttpDialer, request: DialSocket, signal: AbortSignal): Promise<Opened> {
  if (signal.aborted) throw new KubeClientError("connection", words("request/kas-silent"), { stage: "not_started" });
  const socket = dialer.webSocket(request);
  return new Promise((resolve, reject) => {
    const cut = (): void => socket.terminate();
    const over = (): void => signal.removeEventListener("abort", cut);
    signal.addEventListener("abort", cut, { once: true });
    socket.once("close", over);
    socket.once("open", () => {
      socket.pause();
      resolve({ socket });
    });
    socket.once("unexpected-response", (_request, response: IncomingMessage) => {
      over();
      resolve({ response });
    });
    // Stays: a socket that breaks later is followed by its close.
    socket.on("error", (cause) => reject(new KubeClientError("connection", words("request/kas-silent"), { cause, stage: "started" })));
  });
}

function failureOf(response: IncomingMessage): Promise<KubeClientError> {
  return apiFailureOf({
    status: response.statusCode ?? 502,
    header: (name) => headerOf(response, name.toLowerCase()),
    body: response,
    close: () => void response.destroy(),
  });
}
