import { GRPC_CODE } from "@binnacle/grpc-wire";
import { sleep, type BackoffOptions, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { CallMetadata } from "../../kas-link/call-metadata.ts";
import { RECONNECT_BACKOFF, type KasLink } from "../../kas-link/kas-link.ts";
import { RefusalPace } from "../../kas-link/refusal-pace.ts";
import { callKas } from "../../kas-link/kas-call.ts";
import { ProjectStatus, type ProjectStatusOptions } from "./project-status.ts";
import { reportPieces, type ReportedProject } from "./report-pieces.ts";

const REPORT_SYNC = "/kas.v1.GitopsReports/ReportSync";
/** kas forgets a status that was not reported for fifteen minutes. */
const AGAIN_MS = 5 * 60_000;
/** Between two reports of one project; what comes in between is one report. kas takes 300 a minute of an agent. */
const PACE_MS = 1_000;

/** What a reporter needs. */
export interface SyncReporterOptions {
  readonly link: Pick<KasLink, "waitForSession" | "onSession">;
  readonly metadata: Pick<CallMetadata, "get" | "refused">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly project: ReportedProject & Pick<ProjectStatusOptions, "defaultNamespace">;
  readonly backoff?: BackoffOptions;
}

/**
 * Reports to kas how one project stands: with each change, with each new session (a kas that has restarted knows nothing), and again and again so
 * that it is not forgotten. Nothing waits for it.
 */
export class SyncReporter {
  /** What is reported. */
  readonly status: ProjectStatus;
  readonly #options: SyncReporterOptions;
  #news = new AbortController();

  constructor(options: SyncReporterOptions) {
    const { clock, project } = options;
    this.#options = options;
    this.status = new ProjectStatus({ clock, defaultNamespace: project.defaultNamespace, changed: () => this.#news.abort() });
  }

  /** Tells until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { link, metadata, clock, log, project } = this.#options;
    const words = { refused: "kas takes no report of a sync", accepted: "kas takes reports of syncs again" };
    const pace = new RefusalPace({ clock, log, backoff: this.#options.backoff ?? RECONNECT_BACKOFF, words });
    let reconnected = new AbortController();
    const unsubscribe = link.onSession(() => reconnected.abort());
    while (!signal.aborted) {
      this.#news = new AbortController();
      const { now } = this.status;
      if (now === undefined) {
        await sleep(clock, AGAIN_MS, AbortSignal.any([signal, this.#news.signal]));
        continue;
      }
      const session = await link.waitForSession(signal);
      if (!session) break;
      reconnected = new AbortController();
      const messages = reportPieces(now, project);
      const answer = await callKas({ session, path: REPORT_SYNC, metadata: () => metadata.get(), messages, signal });
      if (signal.aborted) break;
      if (answer.status.code === GRPC_CODE.unauthenticated) metadata.refused();
      if (answer.status.code === GRPC_CODE.ok) {
        pace.accepted();
        await sleep(clock, PACE_MS, signal);
        await sleep(clock, AGAIN_MS, AbortSignal.any([signal, this.#news.signal, reconnected.signal]));
      } else {
        const pauseMs = pace.refused(answer.status, answer.trailer);
        // A kas of GitLab's takes none, and will not before it is another kas.
        const waitMs = answer.status.code === GRPC_CODE.unimplemented ? AGAIN_MS : pauseMs;
        await sleep(clock, waitMs, AbortSignal.any([signal, reconnected.signal]));
      }
    }
    unsubscribe();
    pace.close();
  }
}
