import type { ClientHttp2Session, Http2Session, ServerHttp2Session } from "node:http2";

/** Flow-control window of one stream. With Node's 64 KiB a stream does 64 KiB per round trip. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
/** Flow-control window of a connection. */
export const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Limit of all headers of a message. */
export const MAX_HEADER_LIST_BYTES = 64 * 1024;

/**
 * What Node may hold for one session before it refuses headers with ENHANCE_YOUR_CALM. Bytes that wait for a slow reader count, so
 * Node's 10 MB would let ten stalled streams break all others; windows and write budgets are the bound that matters.
 */
const SESSION_MEMORY_MB = 512;

/** Options of `http2.connect` for a gRPC client; call `widenSession` when it is connected. */
export function clientSessionOptions(): {
  settings: { initialWindowSize: number; enablePush: boolean; maxHeaderListSize: number };
  maxSendHeaderBlockLength: number;
  maxSessionMemory: number;
} {
  return {
    settings: { initialWindowSize: STREAM_WINDOW_BYTES, enablePush: false, maxHeaderListSize: MAX_HEADER_LIST_BYTES },
    maxSendHeaderBlockLength: MAX_HEADER_LIST_BYTES,
    maxSessionMemory: SESSION_MEMORY_MB,
  };
}

/**
 * Options of `http2.createServer` for a gRPC server; call `widenSession` for each of its sessions.
 *
 * @param maxStreams streams one client may have open
 */
export function serverSessionOptions(maxStreams = 1_100): {
  settings: { initialWindowSize: number; maxConcurrentStreams: number; maxHeaderListSize: number };
  streamResetBurst: number;
  streamResetRate: number;
  maxSessionInvalidFrames: number;
  maxSessionMemory: number;
} {
  return {
    settings: { initialWindowSize: STREAM_WINDOW_BYTES, maxConcurrentStreams: maxStreams, maxHeaderListSize: MAX_HEADER_LIST_BYTES },
    // A user's cancelled requests become resets of the connection all others share: Node's default kills it after a thousand.
    streamResetBurst: 10_000,
    streamResetRate: 1_000,
    maxSessionInvalidFrames: 100,
    maxSessionMemory: SESSION_MEMORY_MB,
  };
}

/** Gives a connected session the connection window that no option can set. */
export function widenSession(session: ClientHttp2Session | ServerHttp2Session | Http2Session): void {
  if (!session.destroyed) session.setLocalWindowSize(SESSION_WINDOW_BYTES);
}
