import { randomUUID } from "node:crypto";

import { createPatientTransport } from "@binnacle/environment-view";
import { readLogs, type LogsLimits, type LogsQuery, type LogTarget } from "@binnacle/pod-logs";
import type { Expressions } from "@binnacle/pod-logs/expressions";
import { ProblemKind, type ResourceRef } from "@binnacle/proto/dashboard";
import type { ReadLogsRequest, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { Fault, sleep } from "@binnacle/rpc";
import type { AuditRecord } from "@binnacle/telemetry/audit";
import { words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";

import { environmentPath } from "../../features/address/route-path.ts";
import { openEnvironment, type OpenEnvironment, type OpeningContext } from "../environment/open-environment.ts";
import { asFault } from "../resource/with-resource.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { agentLogsFirst } from "../kas/agent-logs-first.ts";
import { reviewIdentity, type ClusterIdentity } from "../kas/cluster-identity.ts";
import type { PermissionsContext } from "../kas/viewer-permissions.ts";
import { recheckSubscriber, type ProofOutcome, type ProofContext } from "../environment/recheck-subscriber.ts";
import { checkLogsRequest, toLogsQuery, unusableFilter } from "./logs-request.ts";
import { followNewJobs } from "./follow-new-jobs.ts";
import { cronJobsOf, jobsOf, logTargets } from "./log-targets.ts";
import { type AuditContext, recordEvent } from "../audit/audit-sink.ts";
import type { RefusalsByAgent } from "../base/remembered-refusal.ts";

/** What logs are read with. */
export interface ReadLogsContext extends OpeningContext, ProofContext, PermissionsContext, AuditContext {
  /** Runs expressions that logs are searched with. */
  readonly expressions: Expressions;
  /** Agents that read no logs. */
  readonly withoutLogs: RefusalsByAgent;
}

/** Containers that a stream reads at a time through the k8s-proxy: each is a request that lasts. */
const MAX_READS = 4;
const LIMITS: LogsLimits = { reads: MAX_READS, sources: 200, lineBytes: 64 * 1024, batchBytes: 32 * 1024 };
/** An API server checks a right when a log is opened, never while it is read. With answers that are used for 30 s, a minute at most. */
const RIGHTS_INTERVAL_MS = 30_000;
/** What a request waits for room at the API server or at kas. */
const MAX_PATIENCE_MS = 20_000;

/** A request for logs, with its viewer. */
export interface ReadLogsCall {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: ReadLogsRequest;
  /** Any other viewer is rejected; absent: the caller. */
  readonly username?: string;
  /** Resolves when another message can be sent, or when the signal aborts: nothing is read before. Absent: always. */
  readonly room?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Logs as the viewer, message by message as the browser takes them: where they are, when the agent reads them, otherwise through the k8s-proxy.
 * The access is checked again every 30 s, as in every stream, and so is the right to read logs.
 *
 * @throws Fault `invalid_request`, `session_ended`, `not_found`, `agent_forbidden`, `environment_forbidden`, `cluster_unavailable`
 */
export async function* readLogsAsViewer(
  context: ReadLogsContext,
  { viewerAccess, request, username, room = async () => {} }: ReadLogsCall,
  signal: AbortSignal,
): AsyncGenerator<ReadLogsResponse, void, void> {
  await checkLogsRequest(request, context.expressions, signal);
  const opened = await openEnvironment(context, { viewerAccess, request, signal });
  if (username !== undefined && username !== opened.viewer.username) throw sessionEnded();
  const proof = new RunningProof(signal);
  let record: LogsRecord | undefined;
  // A consumer that stops reading ends it without an error.
  let outcome: "ended" | "client_left" | "failed" = "client_left";
  try {
    const [identity, targets] = await Promise.all([reviewIdentity(opened.access.client, signal), logTargets(opened, request.refs, signal)]);
    const query = toLogsQuery(request, targets);
    const { clock, expressions } = context;
    const reader = {
      transport: createPatientTransport(opened.access.client.transport, { mostMs: MAX_PATIENCE_MS, clock }),
      clock,
      limits: LIMITS,
      expressions,
      overLimit: words("logs/over-limit-proxy", { most: MAX_READS }),
    };
    proof.start(context, opened, identity);
    proof.watchRights(context, opened, request);
    const withoutLogs = context.withoutLogs.of(opened.access.agentId);
    const read = (query: LogsQuery, until: AbortSignal): AsyncIterable<ReadLogsResponse> => {
      const readHere = (): AsyncIterable<ReadLogsResponse> => readLogs(query, reader, until);
      return agentLogsFirst({ transport: opened.access.client.transport, clock }, { query, readHere, withoutLogs }, until);
    };
    const cronJobs = query.follow ? cronJobsOf(request.refs) : [];
    const jobs = (until: AbortSignal): ReturnType<typeof jobsOf> => jobsOf(opened, cronJobs, until);
    const targetsNow = (until: AbortSignal): Promise<LogTarget[]> => logTargets(opened, request.refs, until);
    const messages =
      cronJobs.length === 0 ? read(query, proof.signal) : followNewJobs(query, { jobs, targets: targetsNow, read, clock }, proof.signal);
    record = new LogsRecord(context, opened, { refs: request.refs, identity });
    await room(proof.signal);
    for await (const message of messages) {
      record.sent(message);
      yield message;
      // Here and not at the caller, so that the end of the access is noticed while there is no room.
      await room(proof.signal);
    }
    outcome = "ended";
    proof.check();
  } catch (error) {
    outcome = "failed";
    if (signal.aborted) return;
    throw await asFault(context, { opened, error: unusableFilter(error) }, signal);
  } finally {
    record?.ended(signal.aborted ? "client_left" : outcome);
    proof.stop();
  }
}

/** Settles with true when a right to logs that the viewer had is denied, with false when `signal` aborts. */
async function untilLogsDenied(
  { permissions, clock }: Pick<ReadLogsContext, "permissions" | "clock">,
  { access, scope }: Pick<OpenEnvironment, "access" | "scope">,
  { request: { refs }, signal }: Pick<ReadLogsCall, "request"> & { readonly signal: AbortSignal },
): Promise<boolean> {
  const scoped = scope.namespaces.length === 0 ? [""] : scope.namespaces;
  const places = refs.length === 0 ? scoped : refs.map(({ namespace }) => namespace);
  const rights = [...new Set(places)].map((namespace) => ({
    verb: "get",
    group: "",
    version: "v1",
    resource: "pods",
    subresource: "log",
    namespace,
    name: "",
  }));
  // A right to single pods only is denied from the beginning, and their logs are read all the same.
  const held = new Set<object>();
  for (;;) {
    const reviews = await Promise.all(
      rights.map(async (attributes) => ({ attributes, right: (await permissions.review(access, attributes)).right })),
    );
    if (signal.aborted) return false;
    if (reviews.some((review) => review.right === "denied" && held.has(review.attributes))) return true;
    for (const { attributes, right } of reviews) if (right === "allowed") held.add(attributes);
    await sleep(clock, RIGHTS_INTERVAL_MS, signal);
    if (signal.aborted) return false;
  }
}

/** Rechecks the access beside a stream, and ends it. */
class RunningProof {
  readonly signal: AbortSignal;
  readonly #ended = new AbortController();
  #outcome: ProofOutcome | { readonly kind: "withdrawn" } | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#ended.signal]);
  }

  start(context: ReadLogsContext, opened: OpenEnvironment, identity: ClusterIdentity | undefined): void {
    const { projectPath, name } = opened.environment;
    const subscriber = { ...opened, identity, returnPath: environmentPath(projectPath, name) };
    recheckSubscriber(context, subscriber, this.signal)
      .then((outcome) => (this.#outcome ??= outcome))
      .catch((error: unknown) => (this.#failure ??= { error }))
      .finally(() => this.#ended.abort());
  }

  /** Ends the stream when the viewer may no longer read logs that it may have. */
  watchRights(context: ReadLogsContext, opened: OpenEnvironment, request: ReadLogsRequest): void {
    untilLogsDenied(context, opened, { request, signal: this.signal })
      .then((isDenied) => {
        if (isDenied) this.#outcome ??= { kind: "withdrawn" };
      })
      .catch((error: unknown) => (this.#failure ??= { error }))
      .finally(() => this.#ended.abort());
  }

  /** @throws Fault when the proof has ended the stream */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#outcome === undefined) return;
    // A viewer with another identity at the cluster starts over.
    if (this.#outcome.kind === "moved") throw new Fault("cluster_unavailable", "the identity at the cluster has changed");
    // The page starts over, and the cluster's refusal of each container names the missing rule.
    if (this.#outcome.kind === "withdrawn") throw new Fault("cluster_unavailable", "the right to read these logs was withdrawn");
    const { kind, words: why } = this.#outcome.problem;
    const reason = kind === ProblemKind.UNAUTHENTICATED ? "session_ended" : "agent_forbidden";
    throw new Fault(reason, renderEnglish(why && fromWordsMessage(why)));
  }

  stop(): void {
    this.#ended.abort();
  }
}

/** As many resources are named in a record; the number of all is in it. */
const MAX_NAMED = 20;

/** The two records of one read of logs: of whom, of which resources, and how much. What was looked for and what was read is in neither. */
class LogsRecord {
  readonly #add: (fields: Pick<AuditRecord, "event"> & Partial<AuditRecord>) => void;
  readonly #startedMs: number;
  readonly #clock: AuditContext["clock"];
  #bytes = 0;

  constructor(
    context: AuditContext,
    { environment, viewer, access }: OpenEnvironment,
    of: { readonly refs: readonly ResourceRef[]; readonly identity: ClusterIdentity | undefined },
  ) {
    const { refs, identity } = of;
    const [first] = refs;
    const named = refs.slice(0, MAX_NAMED).map(({ resource, namespace, name }) => `${resource}/${namespace}/${name}`);
    const cluster = environment.agent.name;
    const by = { actor: { viewer: viewer.username, clusterUser: identity?.username ?? "", cluster }, agentId: access.agentId };
    const action = {
      verb: "get",
      apiGroup: first?.group ?? "",
      resource: first?.resource ?? "pods",
      subresource: "log",
      ...(refs.length === 1 && first && { namespace: first.namespace, name: first.name }),
    };
    const purpose = {
      action: "logs",
      project_path: environment.projectPath,
      environment: environment.name,
      cluster,
      ...(refs.length > 1 && { resources: named.join(" "), count: String(refs.length) }),
    };
    const requestId = randomUUID();
    this.#clock = context.clock;
    this.#startedMs = context.clock.now();
    this.#add = (fields) => recordEvent(context, by, { requestId, action, purpose, ...fields });
    this.#add({ event: "start" });
  }

  sent({ message }: ReadLogsResponse): void {
    if (message.case === "lines") for (const { text } of message.value.lines) this.#bytes += text.length;
  }

  ended(outcome: "ended" | "client_left" | "failed"): void {
    this.#add({ event: "end", outcome, bytesOut: this.#bytes, durationMs: Math.round(this.#clock.now() - this.#startedMs) });
  }
}
