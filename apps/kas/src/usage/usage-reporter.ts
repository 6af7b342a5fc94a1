import { Fault, sleep, type Clock, type Module } from "@binnacle/rpc";

import type { MainApplicationClient } from "../main-application/main-application-client.ts";
import type { UsageCounts } from "./usage-counts.ts";

const PATH = "/api/v4/internal/kubernetes/usage_metrics";

/** Who leaves waits no longer for a main application that does not answer. */
const LAST_MS = 1_000;

/** What usage is reported with. */
export interface UsageReporterOptions {
  readonly counts: UsageCounts;
  readonly mainApplication: Pick<MainApplicationClient, "call">;
  readonly clock: Clock;
  /** In milliseconds, more than 0. */
  readonly periodMs: number;
}

/**
 * Tells the main application how often kas was used, and a last time when it leaves. What could not be told is told with the next report;
 * why it could not stands in the log with all calls to the main application.
 */
export function usageReporter({ counts, mainApplication, clock, periodMs }: UsageReporterOptions): Module {
  let reporting = Promise.resolve();
  const report = async (): Promise<void> => {
    const body = counts.now;
    if (body === undefined) return;
    try {
      await mainApplication.call({ method: "POST", path: PATH, body, flow: "usage" });
      counts.told(body);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  };
  return {
    name: "usage reporter",
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
