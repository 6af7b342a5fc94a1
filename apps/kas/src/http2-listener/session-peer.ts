import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RequestOrigin } from "@binnacle/rpc";

/** Where a session comes from. */
export interface SessionPeer {
  /** IP address of the other end of the socket; "unix" for a Unix socket. */
  readonly address: string;
  readonly transport: "grpc" | "websocket";
  /** The same with what proxies wrote on the handshake of a WebSocket. */
  readonly origin: RequestOrigin;
}

const peers = new WeakMap<ServerHttp2Session, SessionPeer>();

/** Address of the other end of a socket. */
export function addressOf(socket: Pick<Socket, "remoteAddress">): string {
  return socket.remoteAddress ?? "unix";
}

/** Lets the server speak HTTP/2 on a connection. */
export function openSession(server: Http2Server, connection: Duplex, peer: SessionPeer): void {
  // The session is made before `emit` returns; a WebSocket has no address of its own that could be read later.
  const remember = (session: ServerHttp2Session): void => void peers.set(session, peer);
  server.prependOnceListener("session", remember);
  server.emit("connection", connection);
  server.off("session", remember);
}

/** Where the session comes from. */
export function peerOf(session: ServerHttp2Session): SessionPeer {
  return peers.get(session) ?? { address: "unknown", transport: "grpc", origin: { peer: undefined } };
}
