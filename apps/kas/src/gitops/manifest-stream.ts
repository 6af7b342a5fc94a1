import type { ByteAccount } from "@binnacle/grpc-wire";
import type { ObjectsToSynchronizeRequest, ObjectsToSynchronizeResponse } from "@binnacle/proto/gitops";
import { GitopsSourceProblem } from "@binnacle/proto/kas-gitops";
import { Backoff, Fault, sleep, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import { openLongPoll } from "../gitaly/long-poll.ts";
import type { Follower, Look, RepositoryPoller } from "../gitaly/repository-poller.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { isRefusal } from "../main-application/session-authenticator.ts";
import type { ProjectInfo } from "../main-application/project-info-lookup.ts";
import { CommitReader } from "./commit-reader.ts";
import type { GitopsMetrics } from "./gitops-metrics.ts";
import { manifestBatch, type BatchLimits } from "./manifest-batch.ts";
import { parseManifestGlob, type ManifestGlob } from "./manifest-glob.ts";

/** What a stream of manifests needs. */
export interface ManifestStreamOptions {
  readonly gitaly: Pick<GitalyClient, "read">;
  /** Shared by all streams, also those of the configuration. */
  readonly repositories: RepositoryPoller;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: GitopsMetrics;
  readonly pollMs: number;
  /** The wait for a commit ends (cleanly) after this long; the agent comes back at once. */
  readonly maxAgeMs: number;
  readonly maxPaths: number;
  readonly limits: BatchLimits;
  /** Counts batches that were sent whole. */
  readonly onSent?: () => void;
}

/** The agent whose manifests are streamed, and how to authorize it again. */
export interface ManifestSubject {
  readonly request: ObjectsToSynchronizeRequest;
  /** Asks (through caches) whether the token is good and the project may be read; throws when not. */
  readonly authorize: () => Promise<{ readonly agent: AgentInfo; readonly project: ProjectInfo }>;
  /** Aborted when the agent has left. */
  readonly signal: AbortSignal;
  /** Aborted when the connection of the agent is going away (GOAWAY). */
  readonly draining: AbortSignal;
  /** Accounts for bytes that were read and not sent yet. */
  readonly account: ByteAccount;
  /** Called at each poll, and at each failure, with whether the manifests can be read. */
  readonly source: (problem: GitopsSourceProblem) => void;
}

const MAX_PROJECT_CHARACTERS = 1_024;

/**
 * Waits until the default branch of a project has another commit than the agent, sends that commit's manifests once, and ends. A branch or
 * repository that is not there has no commit: nothing is sent, and the wait goes on.
 *
 * @throws Fault `invalid_request`, `manifests_refused`; `token_unknown`, `agent_forbidden`, `not_found` when the agent may not read the project
 * (any more); `gitaly_unavailable` when a batch broke off
 */
export async function* streamManifests(
  subject: ManifestSubject,
  options: ManifestStreamOptions,
): AsyncGenerator<ObjectsToSynchronizeResponse, void> {
  const globs = globsOf(subject.request, options.maxPaths);
  const poll = openLongPoll({ ...subject, clock: options.clock, maxAgeMs: options.maxAgeMs });
  const stream = new ManifestStream(subject, options, poll.ended);
  try {
    for (let news = await stream.news(); news; news = await stream.news()) {
      if (yield* stream.send(news, globs)) return;
    }
  } finally {
    stream.close();
    poll.close();
  }
}

/** @throws Fault `invalid_request` */
function globsOf({ projectId, paths }: ObjectsToSynchronizeRequest, maxPaths: number): readonly ManifestGlob[] {
  if (projectId === "" || projectId.length > MAX_PROJECT_CHARACTERS)
    throw new Fault("invalid_request", "project_id is empty or much too long");
  if (paths.length === 0) throw new Fault("invalid_request", "at least one of paths is needed");
  if (paths.length > maxPaths)
    throw new Fault("invalid_request", `${paths.length} paths are more than ${maxPaths} for one project (max_number_of_paths)`);
  return paths.map(({ glob }) => parseManifestGlob(glob));
}

/** A commit whose manifests are refused: an agent that asks with it waits for another one. */
export class RefusedCommit extends Fault {
  readonly commitId: string;

  constructor(cause: Fault, commitId: string) {
    super("manifests_refused", cause.message, { cause });
    this.commitId = commitId;
  }
}

/** A commit that the agent has not. */
interface News {
  readonly commit: string;
  readonly agent: AgentInfo;
  readonly project: ProjectInfo;
}

class ManifestStream {
  readonly #subject: ManifestSubject;
  readonly #options: ManifestStreamOptions;
  readonly #ended: AbortSignal;
  readonly #backoff = new Backoff({ initialMs: 10_000, maxMs: 60_000 });
  #follower: Follower | undefined;
  #newest: Look | undefined;
  #lookedMs: number | undefined;
  /** Something failed that may pass; it is tried again. */
  #isFailing = false;

  constructor(subject: ManifestSubject, options: ManifestStreamOptions, ended: AbortSignal) {
    this.#subject = subject;
    this.#options = options;
    this.#ended = ended;
  }

  /** The next commit to send; undefined when the wait is over. @throws Fault when the agent may not read the project */
  async news(): Promise<News | undefined> {
    while (!this.#ended.aborted) {
      try {
        if (!(await this.#looked())) continue;
        const { agent, project } = await this.#subject.authorize();
        this.#follower?.aim(project);
        if (this.#newest?.kind === "failed") throw this.#newest.error;
        const commit = this.#newest?.commit;
        this.#subject.source(commit === undefined ? GitopsSourceProblem.NO_COMMIT : GitopsSourceProblem.UNSPECIFIED);
        if (commit !== undefined && commit !== this.#subject.request.commitId) return { commit, agent, project };
        this.#isFailing = false;
        this.#backoff.reset();
      } catch (error) {
        if (this.#subject.signal.aborted) return undefined;
        this.#failed(error);
      }
    }
    return undefined;
  }

  /** @returns whether the batch was sent; if not, it can be tried again */
  async *send({ commit, agent, project }: News, globs: readonly ManifestGlob[]): AsyncGenerator<ObjectsToSynchronizeResponse, boolean> {
    const { gitaly, limits, log, metrics } = this.#options;
    const { signal, account } = this.#subject;
    const fields = { agent_id: String(agent.agentId), project_id: String(project.projectId), commit_id: commit };
    const reader = new CommitReader({ gitaly, at: project, commit, agentId: agent.agentId, signal, account });
    const { takesRefusedFiles: takesRefused } = this.#subject.request;
    const batch = manifestBatch({ reader, commit, projectId: project.projectId, globs, limits, takesRefused });
    let isBegun = false;
    let outcome: "sent" | "refused" | "failed" | "left" = "left";
    try {
      for (;;) {
        const step = await batch.next();
        if (step.done === true) {
          outcome = "sent";
          metrics.sentBytes(step.value.bytes);
          this.#options.onSent?.();
          log.info({ ...fields, ...step.value }, "manifests were sent");
          return true;
        }
        isBegun = true;
        yield step.value;
      }
    } catch (error) {
      outcome = signal.aborted ? "left" : error instanceof Fault && error.reason === "manifests_refused" ? "refused" : "failed";
      if (outcome === "refused" || (outcome === "failed" && isBegun)) log.warn({ ...fields, error }, "manifests were not sent");
      if (outcome === "refused" && error instanceof Fault) throw new RefusedCommit(error, commit);
      if (isBegun || outcome !== "failed") throw error;
      this.#failed(error);
      return false;
    } finally {
      metrics.batch(outcome);
      await batch.return({ files: 0, bytes: 0 });
    }
  }

  close(): void {
    this.#follower?.close();
  }

  /** Waits for a look, or until it is time to try again. @returns whether there is one */
  async #looked(): Promise<boolean> {
    const { clock, repositories, pollMs, metrics } = this.#options;
    if (!this.#follower) {
      if (this.#isFailing) await sleep(clock, this.#backoff.nextMs(), this.#ended);
      if (this.#ended.aborted) return false;
      this.#follower = repositories.follow((await this.#subject.authorize()).project, pollMs);
    }
    const look = await this.#nextLook(this.#follower);
    if (look) {
      const now = clock.now();
      if (this.#lookedMs !== undefined) metrics.polledAfter(now - this.#lookedMs);
      this.#lookedMs = now;
      this.#newest = look;
    }
    return !this.#ended.aborted && this.#newest !== undefined;
  }

  /** After a failure that was not the look's own, the wait for the next one ends early. */
  async #nextLook(follower: Follower): Promise<Look | undefined> {
    if (!this.#isFailing || this.#newest?.kind !== "head") return follower.next(this.#ended);
    const again = new AbortController();
    const cancel = this.#options.clock.after(this.#backoff.nextMs(), () => again.abort());
    return follower.next(AbortSignal.any([this.#ended, again.signal])).finally(cancel);
  }

  /** Once per failure, not once per attempt. @throws the error when trying again is no use, or when it is a bug */
  #failed(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    const isFinal = isRefusal(error);
    // Only kas can report a right that was withdrawn, as the agent may send no reports any more. A right that never existed is not reported.
    if (!isFinal || this.#follower !== undefined) this.#subject.source(GitopsSourceProblem.UNREADABLE);
    // A refusal is final; any other error (a server is down or busy) may be temporary.
    if (isFinal) throw error;
    if (!this.#isFailing) this.#options.log.warn({ project: this.#subject.request.projectId, error }, "manifests cannot be read now");
    this.#isFailing = true;
  }
}
