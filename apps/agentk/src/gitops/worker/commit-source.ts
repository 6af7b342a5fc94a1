import { GRPC_CODE, STATUS_OK, type GrpcStatus } from "@binnacle/grpc-wire";
import { sleep, type BackoffOptions, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { CallMetadata } from "../../kas-link/call-metadata.ts";
import { RECONNECT_BACKOFF, type KasLink } from "../../kas-link/kas-link.ts";
import { IdleCuts } from "../../kas-link/idle-cuts.ts";
import { RefusalPace } from "../../kas-link/refusal-pace.ts";
import type { Commit } from "../sync/commit.ts";
import { receiveCommit } from "./receive-commit.ts";

/** Shortest time between two requests to a server that ends streams at once, with nothing in them. */
const HASTY_MS = 1_000;

/** kas refuses within this time or not at all. */
const REFUSES_MS = 30_000;

/** What a source needs. */
export interface CommitSourceOptions {
  readonly link: Pick<KasLink, "waitForSession">;
  readonly metadata: Pick<CallMetadata, "get" | "refused">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly project: { readonly id: string; readonly globs: readonly string[] };
  readonly backoff?: BackoffOptions;
  /** Last commit that is known already; absent: none. */
  readonly knownCommit?: string;
  /**
   * How kas has answered: the end of each stream, and OK for one that goes on. With the commit whose files are refused; empty: kas has not named one.
   */
  readonly answered?: (status: GrpcStatus, refusedCommit: string) => void;
}

/** A kas that refuses manifests without saying which commit it means: it looks at the repository about as often. */
const REFUSED_MS = 20_000;

/** Rejections that last until the repository or the configuration changes. */
const OF_FILES: readonly number[] = [GRPC_CODE.failedPrecondition, GRPC_CODE.invalidArgument];

/** Trailer of a refusal: the commit whose manifests are refused. */
const REFUSED_COMMIT = "binnacle-refused-commit";

/**
 * Passes each commit of a project to `take` until the signal aborts. A stream that breaks before its trailer is discarded and requested again. After a
 * rejection of a commit another one is requested: the same is tried again when the connection breaks, because then it may be another kas.
 */
export async function watchCommits(options: CommitSourceOptions, take: (commit: Commit) => void, signal: AbortSignal): Promise<void> {
  const { link, metadata, clock, log, project } = options;
  const words = { refused: "kas gives no manifests", accepted: "kas gives manifests again" };
  const pace = new RefusalPace({ clock, log, backoff: options.backoff ?? RECONNECT_BACKOFF, words });
  const cuts = new IdleCuts(log, "manifests");
  let commitId = options.knownCommit ?? "";
  /** Empty for none. */
  let refusedCommit = "";
  const answered = (status: GrpcStatus, refused = ""): void => {
    // A wait for another commit leaves the refusal as it is.
    if (refusedCommit === "") options.answered?.(status, refused);
  };
  while (!signal.aborted) {
    const session = await link.waitForSession(signal);
    if (!session) break;
    const openedAt = clock.now();
    const { id: projectId, globs } = project;
    const goesOn = clock.after(REFUSES_MS, () => answered(STATUS_OK));
    const { status, trailer, isCut, commit } = await receiveCommit({
      session,
      metadata: () => metadata.get(),
      projectId,
      globs,
      commitId: refusedCommit || commitId,
      signal,
    });
    goesOn();
    if (signal.aborted) break;
    const isOpen = !session.closed && !session.destroyed;
    if (isOpen && cuts.isIdleCut({ session, isCut, lifeMs: clock.now() - openedAt })) continue;
    if (commit !== undefined) {
      refusedCommit = "";
      answered(status);
      pace.accepted();
      commitId = commit.commitId;
      log.info({ project_id: projectId, commit_id: commitId, files: commit.files.length }, "manifests received");
      take(commit);
    } else if (status.code === GRPC_CODE.ok) {
      answered(status);
      if (clock.now() - openedAt < HASTY_MS) await sleep(clock, HASTY_MS, signal);
    } else {
      const isOfFiles = OF_FILES.includes(status.code);
      const refused = isOfFiles ? (trailer.get(REFUSED_COMMIT)?.[0] ?? "") : "";
      refusedCommit = "";
      answered(status, refused);
      refusedCommit = refused;
      if (status.code === GRPC_CODE.unauthenticated) metadata.refused();
      // The link reconnects, with a delay of its own.
      const leastMs = isOfFiles && refusedCommit === "" ? REFUSED_MS : 0;
      if (isOpen) await sleep(clock, Math.max(leastMs, pace.refused(status, trailer)), signal);
    }
  }
  pace.close();
}
