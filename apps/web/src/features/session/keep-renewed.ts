import type { Clock } from "@binnacle/rpc";

import { browserClock } from "../live/browser-clock.ts";
import { renewSession, type Renewal } from "./renew-session.ts";

/** After no answer. */
const RETRY_MS = 10_000;
/** However the server answers, no page asks more often. */
const LEAST_MS = 5_000;

/** What a page keeps its session with. */
export interface KeepRenewedOptions {
  /** As the page was sent. */
  readonly firstInSeconds: number;
  readonly renew: () => Promise<Renewal>;
  readonly clock: Clock;
  /** Calls back when time may have passed unnoticed: the page is seen again, or the network is back. @returns how to stop that */
  readonly onWake: (wake: () => void) => () => void;
}

/** Renews the session of the page as often as it is due, until it is over. @returns ends it */
export function keepRenewed({ firstInSeconds, renew, clock, onWake }: KeepRenewedOptions): () => void {
  let dueMs = clock.now() + firstInSeconds * 1_000;
  let cancel = (): void => undefined;
  let isStopped = false;
  let isRunning = false;
  const stop = (): void => {
    isStopped = true;
    cancel();
    stopWaking();
  };
  const schedule = (): void => {
    cancel = clock.after(Math.max(0, dueMs - clock.now()), () => void run());
  };
  const run = async (): Promise<void> => {
    if (isStopped || isRunning) return;
    isRunning = true;
    cancel();
    const renewal = await renew();
    isRunning = false;
    if (isStopped) return;
    if (renewal.kind === "ended" || (renewal.kind === "renewed" && renewal.nextInSeconds === undefined)) return stop();
    dueMs = clock.now() + (renewal.kind === "renewed" ? Math.max(LEAST_MS, (renewal.nextInSeconds ?? 0) * 1_000) : RETRY_MS);
    schedule();
  };
  const stopWaking = onWake(() => {
    if (clock.now() >= dueMs) void run();
  });
  schedule();
  return stop;
}

/** Keeps the session of this page renewed. @returns ends it */
export function keepPageRenewed(firstInSeconds: number): () => void {
  return keepRenewed({ firstInSeconds, renew: () => renewSession(), clock: browserClock, onWake });
}

function onWake(wake: () => void): () => void {
  const seen = (): void => {
    if (document.visibilityState === "visible") wake();
  };
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", wake);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", wake);
  };
}
