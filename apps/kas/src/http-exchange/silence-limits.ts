import type { CallClass } from "../agent-call/call-context.ts";

/** What a request without a time limit of its own may take: the API server's own minute, and the way there and back. */
const NO_ANSWER_MS = 70_000;
/** The API server answers when its own limit is over; the answer needs a while to come. */
const MARGIN_MS = 10_000;
/** The limit that a client requests occupies a tunnel; this is enough for any list. */
const MAX_REQUESTED_MS = 3_600_000;
/** A client that neither reads nor sends holds a tunnel, and its window of bytes. */
export const STALL_MS = 60_000;
/** Where neither bytes nor tunnels are short, a reader may pause for longer. */
export const PATIENT_STALL_MS = 600_000;

/** Requests that this very process answers through the API server may keep silent for as long as they like. */
const PASSED_THROUGH = /^\/api\/v1\/(?:namespaces\/[^/]+\/(?:services|pods)|nodes)\/[^/]+\/proxy(?:\/|$)/;

/**
 * How long the agent may be silent before its answer begins, in milliseconds; undefined: for ever. A watch sends nothing while nothing
 * changes, and the duration of a request to a service behind the API server is unknown.
 */
export function noAnswerMs(request: {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly class: CallClass;
}): number | undefined {
  if (request.class === "watch" || PASSED_THROUGH.test(request.path)) return undefined;
  const seconds = request.query.get("timeoutSeconds") ?? "";
  const requestedMs = /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : durationMs(request.query.get("timeout") ?? "");
  return requestedMs > 0 ? Math.min(requestedMs, MAX_REQUESTED_MS) + MARGIN_MS : NO_ANSWER_MS;
}

const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as Go writes it, "1m30s"; 0 for anything else. */
function durationMs(text: string): number {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return 0;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)/g))
    total += Number(amount) * (UNIT_MS[unit ?? ""] ?? 0);
  return total;
}
