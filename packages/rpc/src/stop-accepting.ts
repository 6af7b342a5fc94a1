import { Server } from "node:net";

import { twoTurns } from "./two-turns.ts";

/** A turn this short hardly sees another connection after those that it accepted. */
const SHORT_TURN_MS = 0.2;
/** A loop that is never that idle closes anyway. */
const MAX_TURNS = 200;

/**
 * Closes the listening socket of a server, and nothing else. What the system has taken for it, and it has not yet seen, would be broken
 * off with that socket: two turns of the event loop see all of it. What connects later in such a turn is not seen by it, so the socket is
 * closed after a turn in which nothing else was done; POSIX knows no way to close it for new ones alone.
 *
 * @returns settles when the last connection is gone
 */
export async function stopAccepting(server: Server): Promise<void> {
  await twoTurns();
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const beganMs = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - beganMs < SHORT_TURN_MS) break;
  }
  await stopAcceptingAtOnce(server);
}

/** The same without regard for who is just coming. */
export function stopAcceptingAtOnce(server: Server): Promise<void> {
  // `close` of an HTTP server also cuts idle connections, and on one of them a request may be on its way.
  return new Promise((resolve) => void Server.prototype.close.call(server, () => resolve()));
}
