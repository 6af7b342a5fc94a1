import type { Logger } from "@binnacle/telemetry";

/**
 * Logs an uncaught error as one JSON line and ends the process, because its state is unknown after the error.
 *
 * @param exit ends the process
 */
export function reportCrashes(log: Logger, exit: () => void): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      log.error({ error, event }, "kas crashed");
      exit();
    });
  }
}
