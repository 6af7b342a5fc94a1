import { eventually } from "@binnacle/testing";

import { openDashboard } from "../support/dashboard-client.ts";
import type { AuditedRequest } from "./audit-log.ts";
import { EnvironmentReader } from "./environment-reader.ts";
import type { ThousandWorld } from "./thousand-world.ts";

/** Colleagues who do nothing else; each has as many streams as one session may have. */
const PEOPLE = ["colleague-3", "colleague-4", "colleague-5", "colleague-6", "colleague-7"];
const STREAMS_EACH = 40;

/** The most viewers that a crowd can be. */
export const MAX_VIEWERS = PEOPLE.length * STREAMS_EACH;

/** Streams of one environment, all open at a time. */
export interface Crowd {
  readonly readers: readonly EnvironmentReader[];
  close(): void;
}

/** Opens them, and waits until each has the whole environment. The people must be one and the same in the cluster to share anything. */
export async function openCrowd(world: ThousandWorld, name: string, viewers: number): Promise<Crowd> {
  const readers: EnvironmentReader[] = [];
  for (const username of PEOPLE.slice(0, Math.ceil(viewers / STREAMS_EACH))) {
    const client = await openDashboard(world.sandbox, username);
    const count = Math.min(STREAMS_EACH, viewers - readers.length);
    for (let each = 0; each < count; each += 1) readers.push(new EnvironmentReader(client, { project: world.project, name }));
  }
  await eventually(() => {
    const complete = readers.filter(({ isComplete }) => isComplete).length;
    return complete === viewers ? undefined : `${complete} of ${viewers} viewers have the environment`;
  }, 60_000);
  return { readers, close: () => readers.forEach((reader) => reader.close()) };
}

/**
 * Repeated queries: the identity of each viewer (every 30 s and once at the beginning), what is served (every 10 s), and what agentk may read
 * itself (every 60 s).
 */
export function isProof({ uri }: AuditedRequest): boolean {
  const { pathname } = new URL(uri, "http://api");
  return /\/selfsubject(?:access)?reviews$/.test(pathname) || pathname === "/version" || /^\/(api|apis)(\/[^/]+){0,2}$/.test(pathname);
}

/** Rules of health in the cluster are read every 5 s in the sandbox (`health_rules.poll_period`), independent of viewers. */
const LEAST_POLL_MS = 4_500;

/**
 * What is read of the cluster, as sorted lines: verb, path, and how; the same for any user at any time. Without the rules of health that are
 * read again after their time: on a busy machine a crowd takes that long to come.
 */
export function readingsOf(requests: readonly AuditedRequest[]): string[] {
  const lines: string[] = [];
  const before = new Map<string, number>();
  for (const request of requests.filter((each) => !isProof(each)).toSorted((one, two) => one.beganMs - two.beganMs)) {
    const line = lineOf(request);
    const lastMs = before.get(line);
    before.set(line, request.beganMs);
    const isPoll = lastMs !== undefined && isOfRules(request) && request.beganMs - lastMs >= LEAST_POLL_MS;
    if (!isPoll) lines.push(line);
  }
  return lines.toSorted();
}

function isOfRules({ uri }: AuditedRequest): boolean {
  return /\/(?:configmaps\/argocd-cm|kustomize\.toolkit\.fluxcd\.io\/.*kustomizations)\b/.test(uri);
}

function lineOf({ verb, uri }: AuditedRequest): string {
  const { pathname, searchParams } = new URL(uri, "http://api");
  for (const passing of ["resourceVersion", "continue", "timeoutSeconds", "timeout"]) searchParams.delete(passing);
  return `${verb} ${pathname}?${searchParams}`;
}
