import { freshnessOf } from "@binnacle/presentation/view/freshness";
import { isWhole } from "@binnacle/presentation/view/is-whole";

import type { Terminal } from "../program/terminal.ts";
import type { EnvironmentState } from "./environment-state.ts";
import { followEnvironment } from "./follow-environment.ts";
import type { NamedEnvironment, Session } from "./session.ts";

/** How long one look at an environment takes at most: the server gives up after ten seconds by itself. */
const LOOK_MS = 30_000;

/** What is known of an environment once every kind has been read, or a part of the way to it is away, or nothing more will come. @throws ConnectError */
export async function firstWhole(
  { clients }: Pick<Session, "clients">,
  named: NamedEnvironment,
  { clock, signal }: Pick<Terminal, "clock" | "signal">,
): Promise<EnvironmentState> {
  const beganMs = clock.now();
  return followEnvironment(
    { clients, ...named, clock, signal, retries: false },
    (state) => isEnough(state) || clock.now() - beganMs >= LOOK_MS,
  );
}

function isEnough({ view, nowMs }: EnvironmentState): boolean {
  if (view.problem !== undefined) return true;
  const { kind } = freshnessOf(view, nowMs);
  if (kind === "live") return isWhole(view);
  return kind !== "connecting" && kind !== "reconnecting" && view.version > 0 ? true : kind === "agent-never-connected" || isAway(kind);
}

function isAway(kind: string): boolean {
  return kind === "agent-offline" || kind === "kas-unreachable" || kind === "api-down";
}
