import type { Socket } from "node:net";

const PEER_LEFT: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET"]);

/**
 * Lets a socket be read to its end although writing to it fails because the peer has left. A server that refuses a request early answers and
 * closes; a write that fails before the answer was read would otherwise destroy the socket with the answer in it. What is written afterwards
 * goes nowhere, and reading tells of the end: after what has come, it is the end of the stream or the reset.
 */
export function readBeforeWriteErrors<S extends Socket>(socket: S): S {
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, withoutPeerLeft(done));
  if (writev) socket._writev = (chunks, done) => writev(chunks, withoutPeerLeft(done));
  return socket;
}

function withoutPeerLeft(done: (error?: Error | null) => void): (error?: Error | null) => void {
  return (error) => done(error && "code" in error && PEER_LEFT.has(error.code) ? null : error);
}
