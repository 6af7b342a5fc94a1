import type { Logger } from "@binnacle/telemetry";

/** Logs why the proxy to the main application makes no tunnels: one line when that begins or changes, one when it has ended. */
export function proxyLog(log: Pick<Logger, "warn" | "info">): (reason: string | undefined) => void {
  let last: string | undefined;
  return (reason) => {
    if (reason === last) return;
    last = reason;
    if (reason === undefined) log.info("the main application is reached through the proxy again");
    else log.warn({ reason }, "the main application cannot be reached");
  };
}
