import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

import type { Clock } from "@binnacle/rpc";

import { bodyOf } from "./request-body.ts";

/** Protocols that Kubernetes' clients change to. */
export type UpgradeProtocol = "websocket" | "SPDY/3.1";

const PROTOCOLS: readonly UpgradeProtocol[] = ["websocket", "SPDY/3.1"];
/** What a client may send before its answer is there; more waits in the system's buffers. */
const MAX_EARLY_BYTES = 64 * 1024;
/** How long a client may go on sending after the last byte for it has left: a reset could overtake that byte. */
const CLOSE_MS = 2_000;

/**
 * The protocol that a request asks to change to. Any other may be left unheard (RFC 9110 §7.8), curl and Java offer h2c each time, and so may
 * one with a body or another method: no client of Kubernetes sends it, and who reads how much of the body is not certain.
 *
 * @returns undefined: it is an ordinary request
 */
export function upgradeProtocolOf(request: IncomingMessage): UpgradeProtocol | undefined {
  if ((request.method !== "GET" && request.method !== "POST") || bodyOf(request) !== undefined) return undefined;
  const offered = (request.headers.upgrade ?? "").split(",").map((name) => name.trim().toLowerCase());
  return PROTOCOLS.find((protocol) => offered.includes(protocol.toLowerCase()));
}

/** Tokens in the place of a subprotocol: of Kubernetes' clients, and of GitLab's. */
const CREDENTIAL = /^(?:base64url\.bearer\.authorization\.k8s\.io|websocket-token|gitlab-)/i;
const HANDSHAKE = {
  "sec-websocket-key": "Sec-WebSocket-Key",
  "sec-websocket-version": "Sec-WebSocket-Version",
  "sec-websocket-extensions": "Sec-WebSocket-Extensions",
} as const;

/** Whether a browser's client shows its token as a subprotocol, which kas does not take. */
export function hasTokenProtocol({ headers }: IncomingMessage): boolean {
  return subprotocolsOf(headers["sec-websocket-protocol"]).some((name) => CREDENTIAL.test(name));
}

/**
 * What of the handshake goes to the agent beside the headers of an ordinary request; as Go writes names, because Go agents look them up so. No
 * token gets through in the place of a subprotocol (T7).
 */
export function handshakeForAgent(request: IncomingMessage, protocol: UpgradeProtocol): Record<string, { value: string[] }> {
  const header: Record<string, { value: string[] }> = { Connection: { value: ["Upgrade"] }, Upgrade: { value: [protocol] } };
  if (protocol !== "websocket") return header;
  for (const [name, written] of Object.entries(HANDSHAKE)) {
    const value = request.headersDistinct[name];
    if (value !== undefined) header[written] = { value };
  }
  const names = subprotocolsOf(request.headers["sec-websocket-protocol"]).filter((name) => !CREDENTIAL.test(name));
  if (names.length > 0) header["Sec-WebSocket-Protocol"] = { value: [names.join(", ")] };
  return header;
}

function subprotocolsOf(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/**
 * The answer to a request that asks for another protocol, on the bare socket that Node hands over for it. As an answer it is like any other,
 * but the connection ends behind it and carries no second request; after `switchProtocols` bytes belong to the two ends.
 */
export class UpgradeResponse extends ServerResponse {
  readonly protocol: UpgradeProtocol;
  readonly #socket: Socket;
  #early: Buffer[] | undefined;
  #earlyBytes: number;
  readonly #onData = (chunk: Buffer): void => this.#onEarly(chunk);
  readonly #onEnd = (): void => this.#onEarlyEnd();

  /** @param head bytes that came with the request */
  constructor(request: IncomingMessage, of: { readonly protocol: UpgradeProtocol; readonly head: Buffer; readonly clock: Clock }) {
    super(request);
    const { protocol, head, clock } = of;
    const { socket } = request;
    this.protocol = protocol;
    this.#socket = socket;
    this.#early = head.byteLength === 0 ? [] : [head];
    this.#earlyBytes = head.byteLength;
    this.shouldKeepAlive = false;
    this.assignSocket(socket);
    // Node's own server tells an answer of that, but not on a socket that it has handed over.
    socket.on("drain", () => this.emit("drain"));
    // It is read, so that a client that leaves is noticed.
    socket.on("data", this.#onData).on("end", this.#onEnd);
    if (this.#earlyBytes >= MAX_EARLY_BYTES) socket.pause();
    else socket.resume();
    this.once("finish", () => {
      this.#early = undefined;
      closeSocket(socket, clock);
    });
  }

  /**
   * Sends the 101. @returns the socket, which is not read yet, and the bytes that the client has sent meanwhile
   */
  switchProtocols(headers: OutgoingHttpHeaders): { readonly socket: Socket; readonly early: readonly Buffer[] } {
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#socket.pause();
    this.#socket.off("data", this.#onData).off("end", this.#onEnd);
    this.writeHead(101, { ...headers, connection: "Upgrade", upgrade: this.protocol });
    this.flushHeaders();
    return { socket: this.#socket, early };
  }

  #onEarly(chunk: Buffer): void {
    // Bytes after a response belong to no request.
    if (this.#early === undefined || this.headersSent) return;
    this.#early.push(chunk);
    this.#earlyBytes += chunk.byteLength;
    if (this.#earlyBytes >= MAX_EARLY_BYTES) this.#socket.pause();
  }

  /** A client that ends its half before it has its answer cannot use the connection that it asks for. */
  #onEarlyEnd(): void {
    if (!this.headersSent) this.#socket.destroy();
  }
}

/** Ends a socket so that its client gets everything: what it still sends is read and thrown away for a moment. */
export function closeSocket(socket: Socket, clock: Clock): void {
  socket.on("error", () => socket.destroy());
  socket.resume();
  socket.end(() => {
    const cancel = clock.after(CLOSE_MS, () => socket.destroy());
    socket.once("close", cancel);
  });
}
