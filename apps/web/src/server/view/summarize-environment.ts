import {
  ConnectionState,
  SummarizeEnvironmentResponseSchema,
  type Connection,
  type Environment,
  type EnvironmentHealth,
  type Header,
  type Problem,
  type SummarizeEnvironmentResponse,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import type { SummaryFacts, ViewScope } from "@binnacle/environment-view";
import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

import { toRowHealth } from "../wire/to-proto.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { watchEnvironment, type WatchEnvironmentContext } from "./watch-environment.ts";
import type { ViewRegistry } from "../shared-views/view-registry.ts";

/** What an environment is summarized with. */
export interface SummarizeContext extends WatchEnvironmentContext {
  readonly registry: Pick<ViewRegistry, "join" | "lastPicture" | "lastSummary">;
  /** Summaries of the index. */
  readonly summaries: {
    /** What was known last; `undefined` when nothing is. */
    lastOf(tenant: string, scope: ViewScope): SummaryFacts | undefined;
  };
}

/** A caller that waits longer than this has to call again. */
const LIMIT_MS = 10_000;

/** Whose summary of which environment. */
interface SummaryRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly names: { readonly projectPath: string; readonly environment: string };
}

/** What has been heard so far. */
interface Heard {
  readonly header?: Header | undefined;
  readonly connection?: Connection | undefined;
  readonly health?: EnvironmentHealth | undefined;
  readonly empty?: Problem | undefined;
  readonly problem?: Problem | undefined;
  /** Every kind has been read once: before that there is no roll-up to tell. */
  readonly complete?: boolean;
  /** Set on a picture that was kept. */
  readonly asOf?: Timestamp | undefined;
  /** What the index, or an earlier page, knew last as the same identity. */
  readonly before?: SummaryFacts | undefined;
}

/**
 * The beginning of the environment's stream, without its resources: whose it is at once, then the roll-up that was known last as the
 * same identity, with its time, and that of now when every kind has been read.
 * It is the same stream as a page opens, proved in the same way, so that the page finds the view that this has opened. Ends with the roll-up,
 * with a problem, when kas, the agent or the API server is unavailable, or after 10 s.
 */
export async function* summarizeEnvironment(
  context: SummarizeContext,
  request: SummaryRequest,
  signal: AbortSignal,
): AsyncGenerator<SummarizeEnvironmentResponse> {
  const { clock } = context;
  const over = new AbortController();
  const cancel = clock.after(LIMIT_MS, () => over.abort());
  let heard: Heard = {};
  let before: SummaryFacts | undefined;
  try {
    const proved = (tenant: string, scope: ViewScope): void => {
      before = context.registry.lastSummary(tenant, scope) ?? context.summaries.lastOf(tenant, scope);
    };
    for await (const { message } of watchEnvironment(context, { ...request, proved }, AbortSignal.any([signal, over.signal]))) {
      const now = hear({ ...heard, before }, message);
      if (now === undefined) continue;
      heard = now;
      yield tell(heard, clock.now());
      if (isEnough(heard)) return;
    }
  } finally {
    cancel();
    over.abort();
  }
}

/** @returns `undefined` when it was nothing new */
function hear(heard: Heard, message: WatchEnvironmentResponse["message"]): Heard | undefined {
  switch (message.case) {
    case "header":
      return { ...heard, header: message.value };
    case "delivery":
      return { ...heard, header: headerWith(heard.header, { delivery: message.value }) };
    case "connection":
      return { ...heard, connection: message.value };
    case "problem":
      return { header: heard.header, problem: message.value };
    case "snapshot": {
      const { health, connection, complete, empty, asOf } = message.value;
      return { header: heard.header, before: heard.before, health, connection, complete, empty, asOf };
    }
    case "delta": {
      const { health = heard.health, connection = heard.connection, complete, empty = heard.empty } = message.value;
      return { ...heard, health, connection, empty, complete: heard.complete === true || complete };
    }
    default:
      return undefined;
  }
}

function headerWith(header: Header | undefined, change: Partial<Environment>): Header | undefined {
  return header?.environment && { ...header, environment: { ...header.environment, ...change } };
}

function tell(heard: Heard, nowMs: number): SummarizeEnvironmentResponse {
  const { header, connection, health, complete, empty, problem, asOf, before } = heard;
  const known = complete === true && health !== undefined;
  const isNow = connection?.state === ConnectionState.CONNECTED;
  const sentAt = toTimestamp(nowMs);
  return create(SummarizeEnvironmentResponseSchema, {
    sentAt,
    ...(header && { header }),
    ...(connection && { connection }),
    ...(known && { health: toRowHealth(health), asOf: asOf ?? (isNow ? sentAt : (connection?.since ?? sentAt)) }),
    ...(!known && before && problem === undefined && { health: toRowHealth(before.health), asOf: toTimestamp(before.asOfMs) }),
    ...(known && empty && { empty }),
    kept: known && asOf !== undefined,
    ...(problem && { problem }),
  });
}

/** Nothing is to be had for now that is worth waiting for. */
function isEnough({ complete, problem, connection }: Heard): boolean {
  if (complete === true || problem !== undefined) return true;
  switch (connection?.state) {
    case ConnectionState.AGENT_OFFLINE:
    case ConnectionState.AGENT_NEVER_CONNECTED:
    case ConnectionState.KAS_UNREACHABLE:
    case ConnectionState.API_DOWN:
      return true;
    default:
      return false;
  }
}
