import { Fault, sleep, type Clock, type Module } from "@binnacle/rpc";

import type { MainApplicationClient } from "../main-application/main-application-client.ts";

const INTERNAL = "/api/v4/internal/kubernetes";

/** Shutdown waits no longer for a main application that does not answer. */
const LAST_MS = 1_000;

/** Values that are reported, and removed once the main application has accepted them. */
export interface Reported<Body extends object> {
  /** `undefined` when there is nothing to report. */
  readonly now: Body | undefined;
  /** Removes what was reported; later additions remain. */
  accepted(body: Body): void;
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
 * Reports to the main application how kas was used, and a last time at shutdown. What could not be reported is part of the next report; the
 * error is in the log of calls to the main application. A report that the main application does not support is not repeated.
 */
export function usageReporter<Body extends object>(options: UsageReporterOptions<Body>): Module {
  const { name, path, reported, mainApplication, clock, periodMs } = options;
  let reporting = Promise.resolve();
  const report = async (): Promise<void> => {
    const body = reported.now;
    if (body === undefined) return;
    try {
      await mainApplication.call({ method: "POST", path: `${INTERNAL}/${path}`, body, flow: "usage" });
      reported.accepted(body);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.reason === "not_found") reported.accepted(body);
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
      const finished = new AbortController();
      // One after the other, so that nothing is reported twice.
      const last = reporting.then(report).finally(() => finished.abort());
      await Promise.race([last, sleep(clock, LAST_MS, AbortSignal.any([deadline, finished.signal]))]);
    },
    close: async () => undefined,
  };
}
