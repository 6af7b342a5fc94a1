import { readFileSync } from "node:fs";

/** One request to the API server, as its audit log tells it. */
export interface AuditedRequest {
  readonly verb: string;
  /** With its query. */
  readonly uri: string;
  readonly userAgent: string;
  /** The user of the request; with impersonation the impersonated one. */
  readonly user: string;
  /** HTTP status; 0 while it is not known. */
  readonly code: number;
  /** When it came, milliseconds since the epoch. */
  readonly beganMs: number;
  /** When its answer had ended; infinite while it goes on. */
  readonly endedMs: number;
}

/** A line of the log (audit.k8s.io/v1 Event): a long request has one when its answer begins and another when it has ended. */
interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/** Requests of a log, in no order. A last line that is being written is left out. */
export function requestsOf(text: string): AuditedRequest[] {
  const requests = new Map<string, AuditedRequest>();
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    if (line === "") continue;
    // Written by the API server.
    const event = JSON.parse(line) as AuditEvent;
    // Its last line says most, wherever it stands.
    if (event.stage !== "ResponseComplete" && requests.has(event.auditID)) continue;
    requests.set(event.auditID, {
      verb: event.verb,
      uri: event.requestURI,
      userAgent: event.userAgent ?? "",
      user: (event.impersonatedUser ?? event.user).username,
      code: event.responseStatus?.code ?? 0,
      beganMs: Date.parse(event.requestReceivedTimestamp),
      endedMs: event.stage === "ResponseComplete" ? Date.parse(event.stageTimestamp) : Number.POSITIVE_INFINITY,
    });
  }
  return [...requests.values()];
}

/** The requests through an agentk, of any user. */
export function agentRequestsOf(file: string): AuditedRequest[] {
  return requestsOf(readFileSync(file, "utf8")).filter(({ userAgent }) => /(^| )agentk\//.test(userAgent));
}

/** The most of them that were open at one moment. */
export function mostOpen(requests: readonly AuditedRequest[]): number {
  const steps = requests.flatMap(({ beganMs, endedMs }) => [
    { atMs: beganMs, by: 1 },
    { atMs: endedMs, by: -1 },
  ]);
  // One that ends in the millisecond in which another begins has ended before.
  steps.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let [open, most] = [0, 0];
  for (const { by } of steps) most = Math.max(most, (open += by));
  return most;
}

/** The most requests that began within any such time. */
export function mostWithin(requests: readonly AuditedRequest[], windowMs: number): number {
  const times = requests.map(({ beganMs }) => beganMs).toSorted((a, b) => a - b);
  let [first, most] = [0, 0];
  for (const [index, atMs] of times.entries()) {
    while ((times[first] ?? atMs) <= atMs - windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** A watch that was let in; one that was refused never held anything. */
export function isWatch({ verb, code }: AuditedRequest): boolean {
  return verb === "watch" && code < 300;
}
