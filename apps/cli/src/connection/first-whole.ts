import { freshnessOf } from "@binnacle/presentation/view/freshness";
import { isWhole } from "@binnacle/presentation/view/is-whole";

import { Progress } from "../output/progress.ts";
import type { Terminal } from "../program/terminal.ts";
import type { EnvironmentState } from "./environment-state.ts";
import { followEnvironment } from "./follow-environment.ts";
import type { NamedEnvironment, Session } from "./session.ts";

/** How long one look at an environment takes at most: the server gives up after ten seconds by itself. */
const LOOK_MS = 30_000;
/** What is done before needs no progress. */
const QUIET_MS = 1_000;

/** What is known of an environment once every kind has been read, or a part of the way to it is away, or nothing more will come. @throws ConnectError */
export async function firstWhole(
  { clients }: Pick<Session, "clients">,
  named: NamedEnvironment,
  terminal: Pick<Terminal, "clock" | "signal" | "note" | "isErrorTerminal" | "columns">,
): Promise<EnvironmentState> {
  const { clock, signal, isErrorTerminal } = terminal;
  // Elsewhere than on a terminal the first look writes its result alone.
  const progress = new Progress(terminal, !isErrorTerminal);
  const beganMs = clock.now();
  try {
    return await followEnvironment({ clients, ...named, clock, signal, retries: false }, (state) => {
      const waitedMs = clock.now() - beganMs;
      if (waitedMs >= QUIET_MS) progress.show(`Reading ${named.environment}`, `${Math.floor(waitedMs / 1_000)} s`);
      return isEnough(state, waitedMs) || waitedMs >= LOOK_MS;
    });
  } finally {
    progress.done();
  }
}

/** A part of the way that is away may come back at once, and what the server has kept of the environment comes after that. */
const AWAY_MS = 3_000;

function isEnough({ view, nowMs }: EnvironmentState, waitedMs: number): boolean {
  if (view.problem !== undefined) return true;
  switch (freshnessOf(view, nowMs).kind) {
    case "live":
      return isWhole(view);
    case "agent-never-connected":
      return true;
    case "agent-offline":
    case "kas-unreachable":
    case "api-down":
      return view.version > 0 || waitedMs >= AWAY_MS;
    default:
      return false;
  }
}
