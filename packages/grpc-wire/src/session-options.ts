import type { ClientHttp2Session, Http2Session, ServerHttp2Session } from "node:http2";

/** Flow-control window of one stream. With Node's 64 KiB a stream does 64 KiB per round trip. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
/** Flow-control window of a connection. */
export const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Limit of all headers of a message. */
export const MAX_HEADER_LIST_BYTES = 64 * 1024;

/** Options of `http2.connect` for a gRPC client; call `widenSession` when it is connected. */
export function clientSessionOptions(): {
  settings: { initialWindowSize: number; enablePush: boolean; maxHeaderListSize: number };
  maxSendHeaderBlockLength: number;
} {
  return {
    settings: { initialWindowSize: STREAM_WINDOW_BYTES, enablePush: false, maxHeaderListSize: MAX_HEADER_LIST_BYTES },
    maxSendHeaderBlockLength: MAX_HEADER_LIST_BYTES,
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
} {
  return {
    settings: { initialWindowSize: STREAM_WINDOW_BYTES, maxConcurrentStreams: maxStreams, maxHeaderListSize: MAX_HEADER_LIST_BYTES },
    // A user's cancelled requests become resets of the connection all others share: Node's default kills it after a thousand.
    streamResetBurst: 10_000,
    streamResetRate: 1_000,
    maxSessionInvalidFrames: 100,
  };
}

/** Gives a connected session the connection window that no option can set. */
export function widenSession(session: ClientHttp2Session | ServerHttp2Session | Http2Session): void {
  if (!session.destroyed) session.setLocalWindowSize(SESSION_WINDOW_BYTES);
}
