import type { SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { ConnectionState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../text/format-time.ts";
import type { ViewState } from "./view-state.ts";

/** These states are known from the first HTML; that the agent is connected is known from the stream. */
const AWAY: ReadonlySet<ConnectionState> = new Set([
  ConnectionState.AGENT_OFFLINE,
  ConnectionState.AGENT_NEVER_CONNECTED,
  ConnectionState.KAS_UNREACHABLE,
  ConnectionState.API_DOWN,
]);

/** What a page shows before the first message of its stream: what it was sent with, as of then. */
export function firstViewOf({
  sentAt,
  header,
  connection,
  health,
  asOf,
  problem,
  empty,
  kept,
}: SummarizeEnvironmentResponse): Partial<ViewState> {
  const sentAtMs = sentAt === undefined ? 0 : millisOf(sentAt);
  const isKept = kept && asOf !== undefined;
  return {
    environment: header?.environment,
    viewer: header?.viewer,
    notices: header?.notices,
    links: header?.views,
    problem,
    empty,
    health,
    firstAsOfMs: health === undefined ? undefined : asOf === undefined ? sentAtMs : millisOf(asOf),
    sentAtMs,
    kept: isKept,
    contentAsOfMs: isKept ? millisOf(asOf) : 0,
    ...(connection !== undefined && AWAY.has(connection.state) ? { connection } : {}),
  };
}

/**
 * What is left of that after a message of the stream: the roll-up stays, with its time, until the stream has one of all kinds. Half of the
 * kinds would look like news.
 */
export function firstAfter(before: ViewState, after: ViewState): Pick<ViewState, "health" | "firstAsOfMs"> {
  const { firstAsOfMs } = after;
  const keeps = firstAsOfMs !== undefined && !after.complete && after.problem === undefined;
  return keeps ? { health: before.health, firstAsOfMs } : { health: after.health, firstAsOfMs: undefined };
}
