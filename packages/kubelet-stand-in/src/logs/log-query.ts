import type { Pod, PodContainer } from "../pod.ts";
import { badRequest } from "../status.ts";
import { logProfile, type LogProfile } from "./log-lines.ts";

/** The requested part of a log. */
export interface LogQuery {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Nanoseconds since the epoch, whole seconds for `sinceTime`; lines before are left out. */
  readonly sinceNs: bigint | undefined;
}

/**
 * Reads `follow`, `previous`, `timestamps`, `tailLines`, `limitBytes`, `sinceSeconds` and `sinceTime` of PodLogOptions.
 *
 * @throws StreamError 400 for values that the API rejects
 */
export function parseLogQuery(query: URLSearchParams, nowMs: number): LogQuery {
  const flag = (name: string): boolean => ["true", "1"].includes(query.get(name) ?? "");
  const number = (name: string, min: number): number | undefined => {
    const text = query.get(name);
    if (text === null || text === "") return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < min)
      throw badRequest(
        `PodLogOptions "" is invalid: ${name}: Invalid value: ${JSON.stringify(text)}: must be greater than or equal to ${min}`,
      );
    return value;
  };
  const sinceSeconds = number("sinceSeconds", 1);
  const sinceTime = query.get("sinceTime") ?? "";
  if (sinceSeconds !== undefined && sinceTime !== "") throw badRequest("at most one of `sinceTime` or `sinceSeconds` may be specified");
  const sinceNs = sinceTime === "" ? undefined : nanosecondsOf(sinceTime);
  return {
    follow: flag("follow"),
    previous: flag("previous"),
    timestamps: flag("timestamps"),
    tailLines: number("tailLines", 0),
    limitBytes: number("limitBytes", 1),
    sinceNs: sinceSeconds === undefined ? sinceNs : BigInt(Math.round(nowMs - sinceSeconds * 1000)) * 1_000_000n,
  };
}

/** An RFC 3339 time; parts of a second are dropped, because the API's `Time` has none. @throws StreamError 400 */
function nanosecondsOf(text: string): bigint {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.exec(text);
  const seconds = match === null ? Number.NaN : Date.parse(`${match[1]}${match[2]}`);
  if (!Number.isFinite(seconds)) throw badRequest(`invalid sinceTime ${JSON.stringify(text.slice(0, 64))}: not an RFC 3339 time`);
  return BigInt(seconds) * 1_000_000n;
}

/** The log of one run of a container. */
export interface LogInstance {
  readonly profile: LogProfile;
  readonly restart: number;
  /** When the run ended; `undefined` while it goes on. */
  readonly finishedMs: number | undefined;
}

/**
 * Chooses the run whose log is read, as the kubelet does: the present one, the last one while the container waits for its next start, or
 * with `previous` the one before.
 *
 * @throws StreamError 400 in the kubelet's words when there is none
 */
export function logInstance(pod: Pod, container: PodContainer, previous: boolean): LogInstance {
  const { state, lastTermination, restartCount, name } = container;
  const run = (restart: number, startedMs: number, finishedMs?: number): LogInstance => ({
    profile: logProfile(pod.annotations, { seed: `${pod.uid}/${name}/${restart}`, container: name, startedMs }),
    restart,
    finishedMs,
  });
  if (previous) {
    if (lastTermination === undefined) throw badRequest(`previous terminated container "${name}" in pod "${pod.name}" not found`);
    return run(Math.max(0, restartCount - 1), lastTermination.startedMs, lastTermination.finishedMs);
  }
  if (state.kind === "running") return run(restartCount, state.startedMs);
  if (state.kind === "terminated") return run(restartCount, state.startedMs, state.finishedMs);
  if (lastTermination !== undefined) return run(Math.max(0, restartCount - 1), lastTermination.startedMs, lastTermination.finishedMs);
  const why = state.reason === "ImagePullBackOff" ? "trying and failing to pull image" : state.reason;
  throw badRequest(`container "${name}" in pod "${pod.name}" is waiting to start: ${why}`);
}
