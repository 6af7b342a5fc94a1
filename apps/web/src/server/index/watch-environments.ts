import {
  ProblemKind,
  WatchEnvironmentsResponseSchema,
  type EnvironmentRow,
  type Problem,
  type RowsSeen,
  type WatchEnvironmentsResponse,
} from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Throttle } from "@binnacle/environment-view";
import { Backoff, Fault, sleep } from "@binnacle/rpc";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { indexPath } from "../../features/address/route-path.ts";
import { Signal } from "../base/signal.ts";
import { toViewer } from "../environment/environment-messages.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { IndexRows, type IndexRowsContext } from "./index-rows.ts";
import { problemOf, unauthenticated } from "../environment/problem.ts";
import { withTeam } from "../team-file/team-view-of.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { LookUpContext } from "../environment/look-up-environment.ts";

/** What an index is watched with. */
export interface IndexContext extends IndexRowsContext, LookUpContext {
  /** Interval at which the main application is polled for an open page, in milliseconds. */
  readonly mainApplicationPollMs: number;
}

const HEARTBEAT_MS = 10_000;
/** Rows change twice a second on average; what is known of them at first comes in two or three messages, at once. */
const ROW_LIMITS = { intervalMs: 500, burst: 3, gapMs: 20 };

/** What is watched. */
interface IndexRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly projectPath: string;
  /** Names of environments on the screen. */
  readonly visible: readonly string[];
  /** Rows have all their issues. */
  readonly issues: boolean;
}

/** A project's environments: a row for each from the first message on, and then what changes. */
export async function* watchEnvironments(
  context: IndexContext,
  request: IndexRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentsResponse> {
  const { clock } = context;
  const wake = new Signal();
  const throttle = new Throttle(clock, ROW_LIMITS, wake.raise);
  const wanted = { visible: new Set(request.visible), allIssues: request.issues };
  const rows = new IndexRows(context, { ...wanted, changed: () => throttle.ask(), signal });
  const returnPath = indexPath(request.projectPath);
  const message = (init: Omit<MessageInitShape<typeof WatchEnvironmentsResponseSchema>, "$typeName">): WatchEnvironmentsResponse =>
    create(WatchEnvironmentsResponseSchema, { ...init, sentAt: toTimestamp(clock.now()) });
  const taken = (): { rows: EnvironmentRow[]; seen: RowsSeen[]; complete: true } => {
    const { rows: changed, seen } = rows.take();
    return { rows: changed.map(({ row }) => row), seen, complete: true };
  };
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000 });
  signal.addEventListener("abort", wake.raise, { once: true });
  let first = true;
  try {
    while (!signal.aborted) {
      const found = await lookUp(context, { ...request, returnPath }, signal);
      if (signal.aborted) return;
      if ("problem" in found) {
        const passing = found.problem.kind === ProblemKind.UNAVAILABLE;
        // A main application that is away for a moment takes nothing from a list that is on the screen.
        if (!passing || first) yield message({ problem: found.problem });
        if (!passing) return;
        await sleep(clock, backoff.nextMs(), signal);
        continue;
      }
      backoff.reset();
      const removed = rows.reconcile(found);
      yield message({ ...taken(), removed, ...(first ? { viewer: toViewer(found.viewer, undefined) } : {}) });
      first = false;
      const refreshAtMs = clock.now() + context.mainApplicationPollMs;
      while (!signal.aborted && clock.now() < refreshAtMs) {
        const cancel = clock.after(Math.min(HEARTBEAT_MS, Math.max(1, refreshAtMs - clock.now())), wake.raise);
        await wake.wait();
        cancel();
        if (signal.aborted) return;
        yield message(taken());
      }
    }
  } finally {
    signal.removeEventListener("abort", wake.raise);
    rows.close();
    throttle.stop();
  }
}

type Found = { readonly viewerAccess: ViewerAccess; readonly viewer: MainViewer; readonly environments: readonly EnvironmentRecord[] };

async function lookUp(
  context: IndexContext,
  request: IndexRequest & { readonly returnPath: string },
  signal: AbortSignal,
): Promise<Found | { readonly problem: Problem }> {
  const { viewerAccess, projectPath, returnPath } = request;
  if (!viewerAccess) return { problem: unauthenticated(context.signInUrl(returnPath)) };
  try {
    const { viewer, environments } = await viewerAccess.environments(projectPath, signal);
    if (environments.length === 0) return { viewerAccess, viewer, environments };
    const reading = await context.teamFiles.read(viewerAccess, projectPath);
    return { viewerAccess, viewer, environments: environments.map((environment) => withTeam(environment, reading)) };
  } catch (error) {
    if (signal.aborted && error instanceof Fault) return { problem: unauthenticated("") };
    return { problem: problemOf(error, context.signInUrl(returnPath)) };
  }
}
