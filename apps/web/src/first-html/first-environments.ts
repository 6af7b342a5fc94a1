import { WatchEnvironmentsResponseSchema, type Dashboard, type WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { settlesWithin, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { applyRows, isLoading, START } from "../features/environments/environments-state.ts";
import { WAIT_MS } from "./wait.ts";

/**
 * The rows of a project's environments as far as they are known within 300 ms, as one message; `undefined` when nothing is. What fails here
 * the page's own stream says in its words.
 */
export async function firstEnvironments(
  dashboard: Pick<Client<typeof Dashboard>, "watchEnvironments">,
  projectPath: string,
  clock: Clock,
): Promise<WatchEnvironmentsResponse | undefined> {
  const over = new AbortController();
  let state = START;
  let last: WatchEnvironmentsResponse | undefined;
  const read = async (): Promise<void> => {
    try {
      for await (const message of dashboard.watchEnvironments({ projectPath }, { signal: over.signal })) {
        state = applyRows(state, message, { nowMs: clock.now(), first: last === undefined });
        last = message;
        if (message.problem !== undefined || (state.complete && !isLoading(state))) return;
      }
    } catch {
      // What has come is as good as before.
    }
  };
  await settlesWithin(read(), WAIT_MS, clock);
  over.abort();
  if (last === undefined) return undefined;
  const { viewer, problem, complete } = state;
  return create(WatchEnvironmentsResponseSchema, {
    rows: [...state.rows.values()],
    complete,
    ...(last.sentAt && { sentAt: last.sentAt }),
    ...(viewer && { viewer }),
    ...(problem && { problem }),
  });
}
