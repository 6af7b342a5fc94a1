/**
 * What a call may do to the cluster, and how long it lives: `safe` only reads and ends by itself, `mutation` may change something,
 * `watch` reads until the caller ends it (also a followed log), `upgrade` is a connection of its own.
 */
export type CallClass = "safe" | "mutation" | "watch" | "upgrade";

/** Whose call it is, proved by the main application: never the identity that acts in the cluster. */
export interface Caller {
  /** `unknown`: a kas that does not say. */
  readonly kind: "user" | "job" | "main_application" | "unknown";
  /** Stable id within the kind, for example the user's number; empty where there is one only. */
  readonly id: string;
  /** The project whose configuration lets the caller in. */
  readonly projectId?: bigint;
}

/** What travels with a call from the listener to the tunnel, over the hop too. Limits, budgets, retries, metrics and logs read it. */
export interface CallContext {
  readonly caller: Caller;
  /** Correlation id of the caller's request. */
  readonly traceId: string;
  readonly class: CallClass;
  /** How long to wait for a tunnel, in milliseconds. */
  readonly waitMs: number;
  /** Deadline of the answer, in milliseconds since the epoch. Absent: none while the caller is connected. */
  readonly deadlineMs?: number;
  /** The answer must begin within this time after the request was sent, in milliseconds; then the agent is probed, and the call ends. Absent: no limit. */
  readonly answerWithinMs?: number;
}

const CLASSES: ReadonlySet<string> = new Set<CallClass>(["safe", "mutation", "watch", "upgrade"]);
const KINDS: ReadonlySet<string> = new Set<Caller["kind"]>(["user", "job", "main_application", "unknown"]);
const MAX_TEXT = 128;
const UNKNOWN: Caller = { kind: "unknown", id: "" };

/** One word for a caller: what running and waiting calls are counted by. */
export function callerKey(caller: Caller): string {
  return `${caller.kind}:${caller.id}`;
}

/** Paths that watch without saying so in the query; old, but every API server has them. */
const WATCH_PATH = /^\/(?:api|apis\/[^/]+)\/[^/]+\/watch(?:\/|$)/;

/** Whether the request is for a watch of objects. @param path of the Kubernetes API, decoded */
export function isWatch(query: URLSearchParams, path: string): boolean {
  return isOn(query.get("watch")) || WATCH_PATH.test(path);
}

/** @param query and path of the request to the Kubernetes API */
export function callClassOf(method: string, query: URLSearchParams, path = ""): CallClass {
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") return "mutation";
  return isWatch(query, path) || isOn(query.get("follow")) ? "watch" : "safe";
}

/** The context as one header for another kas; the wait stays here. */
export function encodeCallContext({ caller, traceId, class: callClass, deadlineMs, answerWithinMs }: CallContext): string {
  return new URLSearchParams({
    kind: caller.kind,
    caller: caller.id,
    ...(caller.projectId === undefined ? {} : { project: String(caller.projectId) }),
    trace: traceId,
    class: callClass,
    ...(deadlineMs === undefined ? {} : { deadline: String(deadlineMs) }),
    ...(answerWithinMs === undefined ? {} : { within: String(answerWithinMs) }),
  }).toString();
}

/**
 * Opposite of `encodeCallContext`. Missing and unknown values of another version become the most careful value.
 *
 * @param waitMs how long the call may wait here
 */
export function decodeCallContext(text: string | undefined, waitMs: number): CallContext {
  const fields = new URLSearchParams(text ?? "");
  const field = (name: string): string => (fields.get(name) ?? "").slice(0, MAX_TEXT);
  const kind = field("kind");
  const project = field("project");
  const callClass = field("class");
  const deadlineMs = Number(field("deadline"));
  const answerWithinMs = Number(field("within"));
  return {
    caller: isKind(kind) ? { kind, id: field("caller"), ...(/^\d{1,19}$/.test(project) ? { projectId: BigInt(project) } : {}) } : UNKNOWN,
    traceId: field("trace"),
    class: isClass(callClass) ? callClass : "mutation",
    waitMs,
    ...(Number.isSafeInteger(deadlineMs) && deadlineMs > 0 ? { deadlineMs } : {}),
    ...(isPatience(answerWithinMs) ? { answerWithinMs } : {}),
  };
}

/** Kubernetes reads booleans of a query as Go's `strconv.ParseBool` does, and a key without value as true. */
function isOn(value: string | null): boolean {
  return value !== null && !["0", "f", "F", "false", "FALSE", "False"].includes(value);
}

/** Whether a caller may ask for an answer within so many milliseconds: a limit, not a way to probe agents all the time. */
export function isPatience(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= 1_000 && ms <= 60_000;
}

function isClass(text: string): text is CallClass {
  return CLASSES.has(text);
}

function isKind(text: string): text is Caller["kind"] {
  return KINDS.has(text);
}
