import type { ViewState } from "@binnacle/presentation/view/view-state";

import { EXIT } from "../program/exit-codes.ts";
import { isDeployed } from "./revision.ts";
import { oldestSampleMs, verdictOf, type Verdict } from "./verdict.ts";

/**
 * A good verdict ends the wait only when the server has confirmed it so long after the wait began, or after the revision was seen: what was
 * changed just before has reached the view by then.
 */
const CONFIRM_MS = 5_000;

/** What is waited for. Times in milliseconds. */
export interface WaitOptions {
  readonly timeoutMs: number;
  /** So long an environment must be degraded without a break. */
  readonly settleMs: number;
  /** As `revisionText`; absent: whatever runs. */
  readonly revision?: string | undefined;
}

/** How the wait stands. */
export type WaitStep =
  | { readonly done: false; readonly verdict: Verdict; readonly waitsFor: "revision" | "live" | "confirmation" | "settling" | "healthy" }
  | {
      readonly done: true;
      readonly verdict: Verdict;
      readonly exitCode: number;
      readonly isTimeout: boolean;
      readonly isDeployed: boolean;
    };

/**
 * Waits until an environment is healthy. It ends with a verdict only that is newer than its start and that a live source vouches for; with a
 * revision, only once that is what runs.
 */
export class Wait {
  readonly #options: WaitOptions;
  readonly #beganMs: number;
  /** By the server's clock: when the stream first spoke, or the revision was first seen. */
  #baseMs: number | undefined;
  #badSinceMs: number | undefined;
  #isDeployed: boolean;

  /** @param beganMs our own time */
  constructor(options: WaitOptions, beganMs: number) {
    this.#options = options;
    this.#beganMs = beganMs;
    this.#isDeployed = options.revision === undefined;
  }

  /** Looks at a view. @param times `serverMs` by the server's clock, `ownMs` by ours: the time-out is ours */
  look(view: ViewState, { serverMs, ownMs }: { readonly serverMs: number; readonly ownMs: number }): WaitStep {
    const { revision, settleMs, timeoutMs } = this.#options;
    const verdict = verdictOf(view, serverMs);
    if (revision !== undefined && view.stream.kind === "open") this.#sawRevision(isDeployed(view.environment?.delivery, revision), view);
    else if (view.lastMessageMs > 0) this.#baseMs ??= view.sentAtMs;
    const end = (exitCode: number, isTimeout = false): WaitStep => ({
      done: true,
      verdict,
      exitCode,
      isTimeout,
      isDeployed: this.#isDeployed,
    });
    if (verdict.isFinal) return end(EXIT.unknown);
    const wait = (waitsFor: (WaitStep & { readonly done: false })["waitsFor"]): WaitStep =>
      ownMs - this.#beganMs >= timeoutMs ? end(this.#codeAfter(verdict), true) : { done: false, verdict, waitsFor };
    if (!verdict.isVouched || !this.#isDeployed) {
      this.#badSinceMs = undefined;
      return wait(verdict.isVouched ? "revision" : "live");
    }
    if (verdict.exitCode !== EXIT.bad) this.#badSinceMs = undefined;
    const isForbidden = verdict.exitCode === EXIT.unknown && (verdict.health?.hidden.length ?? 0) > 0;
    if (verdict.exitCode === EXIT.ok || isForbidden) return this.#isConfirmed(view) ? end(verdict.exitCode) : wait("confirmation");
    if (verdict.exitCode !== EXIT.bad) return wait("healthy");
    this.#badSinceMs ??= serverMs;
    return serverMs - this.#badSinceMs >= settleMs ? end(EXIT.bad) : wait("settling");
  }

  #sawRevision(isThere: boolean, view: ViewState): void {
    if (isThere && !this.#isDeployed) this.#baseMs = view.sentAtMs;
    this.#isDeployed = isThere;
  }

  /** The server has confirmed it, long enough after the start; kinds without a watch were read since. */
  #isConfirmed({ sentAtMs, sources }: ViewState): boolean {
    const baseMs = this.#baseMs ?? sentAtMs;
    return sentAtMs - baseMs >= CONFIRM_MS && (oldestSampleMs(sources) ?? Infinity) >= baseMs;
  }

  /** A good verdict that nothing has confirmed in time is none. */
  #codeAfter(verdict: Verdict): number {
    return verdict.exitCode === EXIT.ok || !this.#isDeployed ? EXIT.unknown : verdict.exitCode;
  }
}
