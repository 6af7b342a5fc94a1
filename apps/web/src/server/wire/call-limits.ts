import { Fault } from "@binnacle/rpc";

/** A stream runs until one side ends it; a call is answered once. */
export type CallKind = "stream" | "call";

/** Whose calls are counted: those of one session, or of one user of the main application with all sessions. */
export type CallScope = "session" | "viewer";

/** What ran into a limit. */
export type CallBound = `${CallScope}_${CallKind}s`;

/** Calls that may run at once. A tab has one stream; twenty tabs of one browser leave half of a session's. */
const MOST: Readonly<Record<CallKind, Readonly<Record<CallScope, number>>>> = {
  stream: { session: 40, viewer: 80 },
  call: { session: 32, viewer: 64 },
};
const RETRY_AFTER_SECONDS: Readonly<Record<CallKind, number>> = { stream: 5, call: 1 };

/** One running call's place among those of its session and of its viewer. */
export interface CallPlace {
  /**
   * Takes a place under this name; a second time under the same name takes nothing.
   *
   * @throws Fault `rate_limited` when there is none
   */
  take(scope: CallScope, name: string): void;
  /** Gives back all it has; from then on it takes nothing, so that a late answer leaves nothing behind. */
  leave(): void;
}

/** How many calls run for each session and viewer: a semaphore per name, without a queue. Every method is synchronous. */
export class CallLimits {
  readonly #running = new Map<string, number>();
  readonly #refused: (by: CallBound) => void;

  constructor(refused: (by: CallBound) => void) {
    this.#refused = refused;
  }

  /** Sessions and viewers with running calls, by kind. */
  get size(): number {
    return this.#running.size;
  }

  /** A call begins; it holds nothing yet. */
  begin(kind: CallKind): CallPlace {
    const held = new Map<CallScope, string>();
    let gone = false;
    const giveBack = (scope: CallScope): void => {
      const key = held.get(scope);
      if (key === undefined) return;
      held.delete(scope);
      const left = (this.#running.get(key) ?? 0) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
    return {
      take: (scope, name) => {
        const key = `${kind} ${scope} ${name}`;
        if (gone || held.get(scope) === key) return;
        // The session belongs to another user now.
        giveBack(scope);
        const running = this.#running.get(key) ?? 0;
        if (running >= MOST[kind][scope]) throw this.#refusal(kind, scope);
        this.#running.set(key, running + 1);
        held.set(scope, key);
      },
      leave: () => {
        gone = true;
        for (const scope of held.keys()) giveBack(scope);
      },
    };
  }

  #refusal(kind: CallKind, scope: CallScope): Fault {
    this.#refused(`${scope}_${kind}s`);
    const what = kind === "stream" ? "live views" : "requests";
    const message = `You have ${MOST[kind][scope]} ${what} open, which is all that one ${scope} may have. Close some.`;
    return new Fault("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS[kind] });
  }
}
