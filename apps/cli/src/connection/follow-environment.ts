import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import { ConnectError } from "@connectrpc/connect";

import { isWorthAnother, type Clients } from "./clients.ts";
import { EnvironmentState } from "./environment-state.ts";

/** Heartbeats are at most 15 s apart: a stream that is silent for so long is opened again. */
const SILENT_MS = 45_000;
/** What depends on time alone is looked at so often. */
const TICK_MS = 1_000;
const RETRY = { initialMs: 1_000, maxMs: 10_000 };

/** Which environment is followed, and how. */
export interface FollowOptions {
  readonly clients: Pick<Clients, "dashboard">;
  readonly projectPath: string;
  readonly environment: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Opens a broken stream again, also one that was never open. */
  readonly retries: boolean;
}

/**
 * Follows an environment until `looked` says that it has seen enough, or `signal` aborts.
 *
 * @param looked called after every message and every second; `true` ends
 * @returns what was known last
 * @throws ConnectError as the calls, when there is no other attempt
 */
export async function followEnvironment(options: FollowOptions, looked: (state: EnvironmentState) => boolean): Promise<EnvironmentState> {
  const { clock, signal, retries } = options;
  const state = new EnvironmentState(clock);
  const over = new AbortController();
  const ending = AbortSignal.any([signal, over.signal]);
  const look = (): boolean => {
    if (!ending.aborted && looked(state)) over.abort();
    return ending.aborted;
  };
  let cancelTick = (): void => undefined;
  const tick = (): void => {
    cancelTick = clock.after(TICK_MS, () => {
      if (!look()) tick();
    });
  };
  tick();
  const backoff = new Backoff(RETRY);
  try {
    while (!ending.aborted) {
      // One attempt after the other.
      // oxlint-disable-next-line no-await-in-loop
      const attempt = await readOnce(options, { state, look, ending });
      if (attempt.ended || ending.aborted) break;
      if (attempt.hasBegun) backoff.reset();
      if (!retries || !isWorthAnother(attempt.error, attempt.hasBegun)) throw attempt.error;
      state.lost(ConnectError.from(attempt.error).rawMessage);
      if (look()) break;
      // oxlint-disable-next-line no-await-in-loop
      await sleep(clock, backoff.nextMs(), ending);
    }
    return state;
  } finally {
    cancelTick();
    over.abort();
  }
}

/** How one stream ended: by the server's last word, or by an error. */
type Attempt = { readonly ended: true } | { readonly ended: false; readonly hasBegun: boolean; readonly error: unknown };

async function readOnce(
  { clients, projectPath, environment, clock }: FollowOptions,
  { state, look, ending }: { readonly state: EnvironmentState; readonly look: () => boolean; readonly ending: AbortSignal },
): Promise<Attempt> {
  const silent = new AbortController();
  let cancel = (): void => undefined;
  const heard = (): void => {
    cancel();
    cancel = clock.after(SILENT_MS, () => silent.abort());
  };
  let hasBegun = false;
  try {
    heard();
    const signal = AbortSignal.any([ending, silent.signal]);
    for await (const message of clients.dashboard.watchEnvironment({ projectPath, environment }, { signal })) {
      hasBegun = true;
      heard();
      const goesOn = state.apply(message);
      if (look() || !goesOn) return { ended: true };
    }
    return { ended: false, hasBegun, error: new ConnectError("the stream ended") };
  } catch (error) {
    return { ended: false, hasBegun, error: silent.signal.aborted ? new ConnectError(`nothing came for ${SILENT_MS / 1_000} s`) : error };
  } finally {
    cancel();
  }
}
