import { Backoff, Fault, type Clock } from "@binnacle/rpc";

import type { PushNotices } from "./push-notices.ts";
import type { ProjectRepository } from "../main-application/agent-info.ts";
import type { GitalyClient } from "./gitaly-client.ts";

/** What a look at a default branch gave; no commit: the repository has none, or is not there. An error that is no Fault is a bug. */
export type Look = { readonly kind: "head"; readonly commit: string | undefined } | { readonly kind: "failed"; readonly error: unknown };

/** One who follows a default branch. */
export interface Follower {
  /** The newest look that this follower has not seen, or the next one; undefined when the signal aborts first. */
  next(signal: AbortSignal): Promise<Look | undefined>;
  /** Where the repository is by now, and with which token. */
  aim(at: ProjectRepository): void;
  close(): void;
}

/** What the poller needs. */
export interface RepositoryPollerOptions {
  readonly gitaly: Pick<GitalyClient, "headCommit">;
  readonly pushes: Pick<PushNotices, "onPush">;
  readonly clock: Clock;
  /** How often followers want a look that say nothing else. */
  readonly pollMs: number;
}

/** A newcomer is content with a look that began this long ago: a thousand agents that return at once cost one look. */
const FRESH_MS = 1_000;
/** Between two polls after pushes: the first after a quiet time is made at once. */
const PUSH_GAP_MS = 1_000;

/**
 * Polls default branches: once per repository and poll period, however many agents and replicas follow it, and at once after a push. A failed
 * poll is repeated after a backoff. The poll ends with its last follower.
 */
export class RepositoryPoller {
  readonly #options: RepositoryPollerOptions;
  readonly #branches = new Map<string, BranchPoll>();

  constructor(options: RepositoryPollerOptions) {
    this.#options = options;
  }

  /** Repositories that are looked at. */
  get size(): number {
    return this.#branches.size;
  }

  /**
   * Begins to follow; the first look is made, or shared, at once. Close the follower.
   *
   * @param pollMs how often this follower wants a look; the one that wants it most often decides for all
   */
  follow(at: ProjectRepository, pollMs = this.#options.pollMs): Follower {
    let poll = this.#pollOf(at);
    let wake = (): void => {};
    let { leave, seen } = poll.join(() => wake(), pollMs);
    return {
      next: (signal) =>
        new Promise((resolve) => {
          const settle = (): void => {
            const fresh = poll.newest(seen);
            if (!fresh && !signal.aborted) return;
            wake = () => {};
            signal.removeEventListener("abort", settle);
            seen = fresh?.number ?? seen;
            resolve(signal.aborted ? undefined : fresh?.look);
          };
          wake = settle;
          signal.addEventListener("abort", settle, { once: true });
          settle();
        }),
      aim: (to) => {
        if (keyOf(to) === poll.key) return poll.aim(to);
        leave();
        poll = this.#pollOf(to);
        ({ leave, seen } = poll.join(() => wake(), pollMs));
      },
      close: () => leave(),
    };
  }

  #pollOf(at: ProjectRepository): BranchPoll {
    const key = keyOf(at);
    const known = this.#branches.get(key);
    if (known) return known;
    const poll = new BranchPoll(this.#options, { at, key, onEmpty: () => this.#branches.delete(key) });
    this.#branches.set(key, poll);
    return poll;
  }
}

/** The looks at one default branch: `waiting` (a timer runs) → `looking` → `waiting` …, until the last follower leaves. */
class BranchPoll {
  readonly key: string;
  readonly #options: RepositoryPollerOptions;
  readonly #onEmpty: () => void;
  /** By what wakes them: how often each wants a look. */
  readonly #followers = new Map<() => void, number>();
  readonly #backoff = new Backoff({ initialMs: 10_000, maxMs: 60_000 });
  readonly #forgetPushes: () => void;
  #at: ProjectRepository;
  #newest: { readonly look: Look; readonly number: number } | undefined;
  #count = 0;
  #beganMs = Number.NEGATIVE_INFINITY;
  #pushedMs = Number.NEGATIVE_INFINITY;
  #looking = false;
  /** A push came while a look was under way: it may have missed it. */
  #again = false;
  #cancelTimer = (): void => {};
  /** When the next look is due; infinity while none is planned. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(
    options: RepositoryPollerOptions,
    of: { readonly at: ProjectRepository; readonly key: string; readonly onEmpty: () => void },
  ) {
    this.#options = options;
    this.key = of.key;
    this.#at = of.at;
    this.#onEmpty = of.onEmpty;
    this.#forgetPushes = options.pushes.onPush(of.at.repository.glProjectPath, () => this.#pushed());
  }

  /** @param wake called after each look @returns how to leave, and the last look that is too old for a newcomer */
  join(wake: () => void, pollMs: number): { readonly leave: () => void; readonly seen: number } {
    this.#followers.set(wake, pollMs);
    const isFresh = !this.#looking && this.#options.clock.now() - this.#beganMs < FRESH_MS;
    const seen = isFresh ? 0 : this.#count;
    if (!isFresh && !this.#looking)
      void this.#look(); // never rejects
    else if (!this.#looking && this.#dueMs > this.#options.clock.now() + pollMs) this.#lookAfter(pollMs);
    return { leave: () => this.#leave(wake), seen };
  }

  #leave(wake: () => void): void {
    if (!this.#followers.delete(wake) || this.#followers.size > 0) return;
    this.#cancelTimer();
    this.#forgetPushes();
    this.#onEmpty();
  }

  aim(at: ProjectRepository): void {
    this.#at = at;
  }

  /** The newest look, unless it has this number or a smaller one. */
  newest(seen: number): { readonly look: Look; readonly number: number } | undefined {
    return this.#newest && this.#newest.number > seen ? this.#newest : undefined;
  }

  #pushed(): void {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    const now = this.#options.clock.now();
    if (this.#pushedMs > now) return; // a look is on its way
    const waitMs = Math.max(0, this.#pushedMs + PUSH_GAP_MS - now);
    this.#pushedMs = now + waitMs;
    if (waitMs === 0)
      void this.#look(); // never rejects
    else this.#lookAfter(waitMs);
  }

  #lookAfter(delayMs: number): void {
    this.#cancelTimer();
    this.#dueMs = this.#options.clock.now() + delayMs;
    this.#cancelTimer = this.#options.clock.after(delayMs, () => void this.#look()); // never rejects
  }

  async #look(): Promise<void> {
    const { clock } = this.#options;
    this.#cancelTimer();
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#looking = true;
    this.#again = false;
    this.#beganMs = clock.now();
    const look = await this.#ask();
    this.#looking = false;
    if (this.#followers.size === 0) return;
    this.#count += 1;
    this.#newest = { look, number: this.#count };
    if (look.kind === "head") this.#backoff.reset();
    if (this.#again) this.#lookAfter(PUSH_GAP_MS);
    else this.#lookAfter(look.kind === "head" ? Math.min(...this.#followers.values()) : this.#backoff.nextMs());
    for (const wake of this.#followers.keys()) wake();
  }

  async #ask(): Promise<Look> {
    const { gitaly, repository, defaultBranch } = this.#at;
    try {
      return { kind: "head", commit: await this.#options.gitaly.headCommit(gitaly, repository, defaultBranch) };
    } catch (error) {
      return error instanceof Fault && error.reason === "not_found" ? { kind: "head", commit: undefined } : { kind: "failed", error };
    }
  }
}

/** The same repository, on the same server, by the same branch. */
function keyOf({ gitaly, repository, defaultBranch }: ProjectRepository): string {
  const { storageName, relativePath, glRepository, glProjectPath } = repository;
  return JSON.stringify([gitaly.address, storageName, relativePath, glRepository, glProjectPath, defaultBranch]);
}
