import type { Connection } from "@binnacle/proto/dashboard";
import type { ViewSpec, ViewUpdate } from "@binnacle/proto/kas-views";
import type { Fault } from "@binnacle/rpc";

import type { ViewAccess, ViewHub } from "./view-hub.ts";

/** One entry of a view, and how the way to its agent is. */
export interface EntryState {
  /** Absent: it is not known. */
  readonly value?: Uint8Array;
  readonly connection?: Connection;
}

/** Which entry of which view. */
export interface EntryQuery {
  readonly access: ViewAccess;
  readonly spec: ViewSpec;
  readonly key: string;
  /** Aborted when the reader wants no further change: the changes end, without an error. Default: never. */
  readonly enough?: AbortSignal;
}

/**
 * One entry of a view, now and at each change; a slow reader receives only the state at the time it reads. Ends when the
 * signal of the access aborts.
 *
 * @throws Fault as `ViewHub.join`, and why the view has ended
 */
export async function* entryChanges(hub: ViewHub, { access, spec, key, enough }: EntryQuery): AsyncGenerator<EntryState, void> {
  const signal = enough === undefined ? access.signal : AbortSignal.any([access.signal, enough]);
  let ended: Fault | undefined;
  let wake = (): void => undefined;
  const awake = (): void => wake();
  const subscription = await hub.join(access, spec, {
    ready: awake,
    ended: (fault) => {
      ended = fault;
      wake();
    },
  });
  signal.addEventListener("abort", awake);
  try {
    let state: EntryState = {};
    while (!signal.aborted) {
      const update = subscription.take();
      if (update !== undefined) {
        state = after(state, update, key);
        if (!update.more) yield state;
      } else if (ended !== undefined) throw ended;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener("abort", awake);
    subscription.close();
  }
}

function after(before: EntryState, { reset, entries, removed, connection = before.connection }: ViewUpdate, key: string): EntryState {
  const isGone = reset || removed.includes(key);
  const value = entries.findLast((entry) => entry.key === key)?.value ?? (isGone ? undefined : before.value);
  return { ...(value && { value }), ...(connection && { connection }) };
}
