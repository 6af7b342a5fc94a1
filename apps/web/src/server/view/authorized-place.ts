import { FollowedEnvironment } from "../delivery/follow-environment.ts";
import { FollowedTeam } from "../team-file/team-view-of.ts";
import { HEARTBEAT_MS, type ProvenSubscriber } from "./authorized-stream.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import { Signal } from "../base/signal.ts";
import { recheckSubscriber, type ProofOutcome, type ProofContext } from "../environment/recheck-subscriber.ts";
import type { ViewMembership, ViewRegistry } from "../shared-views/view-registry.ts";
import type { LookUpContext } from "../environment/look-up-environment.ts";

/** What a place in a view is taken with. */
export interface ProvenPlaceContext extends LookUpContext, ProofContext {
  readonly registry: Pick<ViewRegistry, "join">;
  /** Interval at which the main application is polled for an open page, in milliseconds. */
  readonly mainApplicationPollMs: number;
}

/** What goes on beside a stream, until the signal aborts. */
interface Follower {
  run(changed: () => void, signal: AbortSignal): Promise<void>;
}

/**
 * A subscriber's place in the view of his environment, for as long as he may have it: he is proved again and again, and what the main
 * application and his team say of the environment is followed.
 */
export class ProvenPlace {
  readonly membership: ViewMembership;
  /** What is deployed there. */
  readonly followed: FollowedEnvironment;
  /** There may be something to tell. */
  readonly wake = new Signal();
  readonly #clock: ProofContext["clock"];
  readonly #team: FollowedTeam;
  readonly #signal: AbortSignal;
  readonly #ended = new AbortController();
  readonly #running: Promise<unknown>[];
  #outcome: ProofOutcome | undefined;
  #failure: unknown;

  constructor(context: ProvenPlaceContext, subscriber: ProvenSubscriber, signal: AbortSignal) {
    const { clock, registry, mainApplicationPollMs: pollMs } = context;
    const { access, identity, environment, viewerAccess } = subscriber;
    this.#clock = clock;
    this.#signal = signal;
    this.membership = registry.join(access, identity, scopeOf(environment));
    this.#team = new FollowedTeam(context, viewerAccess, environment);
    this.followed = new FollowedEnvironment({ clock, pollMs }, viewerAccess, environment);
    signal.addEventListener("abort", this.wake.raise, { once: true });
    const proving = recheckSubscriber(context, subscriber, this.#until())
      .then((outcome) => outcome && (this.#outcome = outcome))
      .catch((error: unknown) => (this.#failure = error))
      .finally(this.wake.raise);
    this.#running = [proving];
    for (const each of [this.#team, this.followed]) this.follow(each);
  }

  /** How it has ended; absent: he left, or is to begin again. */
  get outcome(): ProofOutcome | undefined {
    return this.#outcome;
  }

  /** Something else is followed beside, as long as the place is there. */
  follow(follower: Follower): void {
    this.#running.push(follower.run(this.wake.raise, this.#until()));
  }

  /** Waits until there may be something to tell, or a sign of life is due. @returns `false` when the place has ended */
  async next(): Promise<boolean> {
    const cancelHeartbeat = this.#clock.after(HEARTBEAT_MS, this.wake.raise);
    await this.wake.wait();
    cancelHeartbeat();
    if (this.#signal.aborted) return false;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#outcome) return false;
    // Another scope is another view, and what was stopped says so: the stream begins again.
    const { membership } = this;
    return !(this.#team.isChanged || this.followed.isChanged || membership.leftOut?.isFree === true || membership.isReplaced());
  }

  /** Call it once, at the end. */
  async leave(): Promise<void> {
    // What other tabs of this viewer have is theirs to leave.
    if (this.#outcome?.kind === "moved") this.membership.moved();
    else if (this.#outcome) this.membership.refuse();
    this.#signal.removeEventListener("abort", this.wake.raise);
    this.membership.leave();
    this.#ended.abort();
    await Promise.all(this.#running);
  }

  #until(): AbortSignal {
    return AbortSignal.any([this.#signal, this.#ended.signal]);
  }
}
