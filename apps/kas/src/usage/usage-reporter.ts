import { Fault, sleep, type Clock, type Module } from "@binnacle/rpc";

import type { MainApplicationClient } from "../main-application/main-application-client.ts";

const INTERNAL = "/api/v4/internal/kubernetes";

/** Who leaves waits no longer for a main application that does not answer. */
const LAST_MS = 1_000;

/** What is told, and forgotten when it was. */
export interface Reported<Body extends object> {
  /** `undefined` when there is nothing to tell. */
  readonly now: Body | undefined;
  /** This was told: what has come since is left. */
  told(body: Body): void;
}

/** What usage is reported with. */
export interface UsageReporterOptions<Body extends object> {
  readonly name: string;
  /** Of the main application's internal API, `/kubernetes/<path>`. */
  readonly path: string;
  readonly reported: Reported<Body>;
  readonly mainApplication: Pick<MainApplicationClient, "call">;
  readonly clock: Clock;
  /** In milliseconds, more than 0. */
  readonly periodMs: number;
}

/**
 * Tells the main application how kas was used, and a last time when it leaves. What could not be told is told with the next report;
 * why it could not stands in the log with all calls to the main application. One that does not know what it is told is not told again.
 */
export function usageReporter<Body extends object>(options: UsageReporterOptions<Body>): Module {
  const { name, path, reported, mainApplication, clock, periodMs } = options;
  let reporting = Promise.resolve();
  const report = async (): Promise<void> => {
    const body = reported.now;
    if (body === undefined) return;
    try {
      await mainApplication.call({ method: "POST", path: `${INTERNAL}/${path}`, body, flow: "usage" });
      reported.told(body);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.reason === "not_found") reported.told(body);
    }
  };
  return {
    name,
    async run(signal) {
      while (!signal.aborted) {
        await sleep(clock, periodMs, signal);
        if (!signal.aborted) await (reporting = report());
      }
    },
    async drain(deadline) {
      const told = new AbortController();
      // One after the other: nothing is told twice.
      const last = reporting.then(report).finally(() => told.abort());
      await Promise.race([last, sleep(clock, LAST_MS, AbortSignal.any([deadline, told.signal]))]);
    },
    close: async () => undefined,
  };
}
