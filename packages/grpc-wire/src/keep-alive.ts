import type { Http2Session } from "node:http2";

import { Fault, type Clock } from "@binnacle/rpc";

/** How a session is watched. */
export interface KeepAliveOptions {
  readonly clock: Clock;
  /** Time between two pings. Go servers close connections that ping more often than every 20 s. */
  readonly intervalMs: number;
  /** Time an answer may take; then the session is destroyed with a Fault `peer_unreachable`. */
  readonly timeoutMs: number;
}

/** Pings the peer until the session closes, so that a stopped or vanished peer is noticed. The returned function ends the pinging. */
export function keepAlive(session: Http2Session, options: KeepAliveOptions): () => void {
  const { clock, intervalMs, timeoutMs } = options;
  let cancel = (): void => {};
  let ended = false;
  const stop = (): void => {
    ended = true;
    cancel();
  };
  const fail = (): void => {
    stop();
    session.destroy(new Fault("peer_unreachable", `no answer to a keepalive ping within ${timeoutMs} ms`));
  };
  const ping = (): void => {
    if (ended || session.destroyed) return;
    cancel = clock.after(timeoutMs, fail);
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
