import type { Logger } from "@binnacle/telemetry";

/**
 * What nobody has caught becomes one JSON line, then the process ends: its state is unknown from here on.
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
