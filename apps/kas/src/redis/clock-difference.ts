import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { RedisConnection } from "./redis-connection.ts";

/** What kas forgive each other in their tokens (kas-routing/hop-token.ts). */
const FORGIVEN_MS = 5_000;

/**
 * Compares the clock with that of Redis, by which all kas can be compared, each time it is connected, and warns of a difference: records
 * and tokens of other kas then seem to have expired, and nothing else names the reason.
 */
export function warnOfClockDifference({ commands }: Pick<RedisConnection, "commands">, clock: Clock, log: Logger): void {
  commands.on("ready", () => {
    const askedMs = clock.now();
    commands.time().then(
      ([seconds, microseconds]) => {
        const redisMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
        // Redis has read its clock somewhere in between.
        const aheadMs = Math.round((askedMs + clock.now()) / 2 - redisMs);
        if (Math.abs(aheadMs) <= FORGIVEN_MS) return;
        log.warn(
          { ahead_ms: aheadMs },
          "the clock of this kas differs from that of Redis: agents of other kas may seem away; synchronise the clocks of all kas",
        );
      },
      () => undefined, // an ACL may forbid TIME, or the connection is gone again
    );
  });
}
