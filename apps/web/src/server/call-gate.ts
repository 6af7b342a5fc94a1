import { Fault } from "@binnacle/rpc";
import type { HandlerContext } from "@connectrpc/connect";

import type { CollectAfterLoad } from "./base/collect-after-load.ts";
import { sessionEnded } from "./base/session-ended.ts";
import { cookiesOf } from "./session/bearer-tokens.ts";
import type { SessionStreams } from "./session/session-streams.ts";
import type { ViewerAccess } from "./main-application/main-application.ts";
import type { CallSession } from "./session/web-sessions.ts";
import type { CallKind, CallLimits } from "./wire/call-limits.ts";

/** What every call passes, of whatever service. */
export interface CallGate {
  /** The way of a request to its viewer's data, from its token or its cookies; `undefined` without a session. */
  readonly session: (headers: Headers, identified: (username: string) => void) => Promise<CallSession | undefined>;
  readonly limits: CallLimits;
  readonly streams: SessionStreams;
  /** Counts the streams that are open. */
  readonly load: Pick<CollectAfterLoad, "begin">;
  /** Ends every stream, so that browsers come back, perhaps to another process; what ends by itself goes on. */
  readonly draining: AbortSignal;
}

/** What a call may use while it runs. */
export interface RunningCall {
  readonly viewerAccess: ViewerAccess | undefined;
  /** Aborts when the caller leaves and when the viewer signs out. */
  readonly signal: AbortSignal;
}

/** Answers one call within the limits of its session and viewer. @throws Fault `rate_limited`; `session_ended` after a sign-out */
export async function within<T>(gate: CallGate, call: HandlerContext, work: (running: RunningCall) => Promise<T>): Promise<T> {
  const entry = await enter(gate, call, "call");
  try {
    return await work(entry.running);
  } catch (error) {
    throw entry.signedOut() ? sessionEnded() : error;
  } finally {
    entry.leave();
  }
}

/** Like `within`, for a call that changes a cluster. @throws Fault `environment_forbidden` for a cookie without an Origin: no page of ours sends that */
export async function changing<T>(gate: CallGate, call: HandlerContext, work: (running: RunningCall) => Promise<T>): Promise<T> {
  if (cookiesOf(call.requestHeader) !== undefined && !call.requestHeader.has("origin"))
    throw new Fault("environment_forbidden", "A call that changes something needs the Origin header beside the session cookie.");
  return within(gate, call, work);
}

/** Like `within`, for a stream, which finds the end of a session of the main application with its next check. */
export function streamWithin<T>(gate: CallGate, call: HandlerContext, open: OpenStream<T>): AsyncIterable<T> {
  return run(gate, () => enter(gate, call, "stream"), open);
}

/** Like `streamWithin`, for logs: they end at once with a session of the main application, too. */
export function logsWithin<T>(gate: CallGate, call: HandlerContext, open: OpenStream<T>): AsyncIterable<T> {
  return run(gate, () => enter(gate, call, "logs"), open);
}

type OpenStream<T> = (running: RunningCall) => AsyncIterable<T>;

async function* run<T>(gate: CallGate, begin: () => ReturnType<typeof enter>, open: OpenStream<T>): AsyncIterable<T> {
  const entry = await begin();
  const ended = gate.load.begin();
  try {
    yield* open({ ...entry.running, signal: AbortSignal.any([entry.running.signal, gate.draining]) });
    if (entry.signedOut()) throw sessionEnded();
    if (gate.draining.aborted) throw new Fault("shutting_down", "the dashboard is being restarted");
  } catch (error) {
    throw entry.signedOut() ? sessionEnded() : error;
  } finally {
    ended();
    entry.leave();
  }
}

async function enter(
  { session, limits, streams }: CallGate,
  { requestHeader, signal }: HandlerContext,
  kind: CallKind | "logs",
): Promise<{ readonly running: RunningCall; readonly signedOut: () => boolean; readonly leave: () => void }> {
  const place = limits.begin(kind === "logs" ? "stream" : kind);
  const found = await session(requestHeader, (username) => place.take("viewer", username));
  // Without a session there is nothing to hold: the call is answered at once.
  if (!found) return { running: { viewerAccess: undefined, signal }, signedOut: () => false, leave: () => undefined };
  place.take("session", found.viewerAccess.key);
  const tie = kind === "logs" ? found.tie() : found.tokenSession && streams.tie(found.tokenSession);
  return {
    running: { viewerAccess: found.viewerAccess, signal: tie ? AbortSignal.any([signal, tie.signal]) : signal },
    signedOut: () => tie?.signal.aborted === true,
    leave: () => {
      tie?.untie();
      place.leave();
    },
  };
}
