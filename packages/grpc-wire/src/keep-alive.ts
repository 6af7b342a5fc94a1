import type { Http2Session } from "node:http2";

import { Fault, type Clock } from "@binnacle/rpc";

/** How a session is watched. */
export interface KeepAliveOptions {
  readonly clock: Clock;
  /** Time between two pings. Go servers close connections that ping more often than every 20 s. */
  readonly intervalMs: number;
  /** Time the peer may be silent after a ping; then the session is destroyed with a Fault `peer_unreachable`. */
  readonly timeoutMs: number;
}

/**
 * Pings the peer until the session closes, so that a stopped or vanished peer is noticed. Every byte from the peer is a sign of life, as in
 * grpc-go: on a slow line the answer to a ping waits behind the data that was sent before it. The returned function ends the pinging.
 */
export function keepAlive(session: Http2Session, options: KeepAliveOptions): () => void {
  const { clock, intervalMs, timeoutMs } = options;
  let cancel = (): void => {};
  let ended = false;
  let heard = 0;
  const stop = (): void => {
    ended = true;
    cancel();
  };
  const fail = (): void => {
    stop();
    session.destroy(new Fault("peer_unreachable", `no sign of life within ${timeoutMs} ms of a keepalive ping`));
  };
  /** Nothing but silence for a whole timeout fails; the ping that was sent is still under way. */
  const listen = (): void => {
    heard = receivedBytes(session);
    cancel = clock.after(timeoutMs, () => (receivedBytes(session) === heard ? fail() : listen()));
  };
  const ping = (): void => {
    if (ended || session.destroyed) return;
    listen();
    const sent = session.ping((error) => {
      if (ended || error) return;
      cancel();
      cancel = clock.after(intervalMs, ping);
    });
    if (!sent) fail();
  };
  cancel = clock.after(intervalMs, ping);
  session.once("close", stop);
  return stop;
}

/** Bytes the peer has sent so far, over whatever carries the session; a session that is gone receives nothing. */
export function receivedBytes(session: { readonly destroyed: boolean; readonly socket: { readonly bytesRead: number } }): number {
  return session.destroyed ? 0 : session.socket.bytesRead;
}
