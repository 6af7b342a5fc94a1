import { SummarizeProjectsResponseSchema, type ProjectSummary, type SummarizeProjectsResponse } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault, sleep } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { applyRows, isLoading, START } from "../../features/environments/environments-state.ts";
import { watchEnvironments, type IndexContext } from "../index/watch-environments.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { Signal } from "../base/signal.ts";
import { projectSummary } from "./project-summary.ts";

/** Projects of one request. */
const MAX_PROJECTS = 50;
/** Projects that are read at a time: their environments are sampled, and nothing of them is followed afterwards. */
const MAX_READING = 4;
/** So long one project is read; what is not known by then stays unknown. */
const READ_MS = 5_000;
/** Lines that become known within this time are sent together. */
const TOGETHER_MS = 50;

/** Whose summaries of which projects. */
interface ProjectsRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly fullPaths: readonly string[];
}

/**
 * Each project in one line, from the rows that its index would have: what the server holds at once, and what one bounded read finds. The index's
 * own rules hold: rights are read by kas first, environments are sampled at the pace that all indexes of an agent share, and no watch is
 * begun. Each project is read for at most five seconds, four of them at a time; then the stream ends.
 *
 * @throws Fault `session_ended`, `invalid_request` for more than fifty projects
 */
export async function* summarizeProjects(
  context: IndexContext,
  { viewerAccess, fullPaths }: ProjectsRequest,
  signal: AbortSignal,
): AsyncGenerator<SummarizeProjectsResponse> {
  if (viewerAccess === undefined) throw sessionEnded();
  if (fullPaths.length > MAX_PROJECTS) throw new Fault("invalid_request", `at most ${MAX_PROJECTS} projects are summarized at a time`);
  const { clock } = context;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const wake = new Signal();
  const pending = new Map<string, ProjectSummary>();
  const tell = (summary: ProjectSummary): void => {
    pending.set(summary.fullPath, summary);
    wake.raise();
  };
  const waiting = [...new Set(fullPaths)];
  const readInTurn = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined && !until.aborted; path = waiting.shift())
      await readProject(context, { viewerAccess, path, tell }, until);
  };
  const reading = Promise.all(Array.from({ length: Math.min(MAX_READING, waiting.length) }, readInTurn));
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
    wake.raise();
  };
  void reading.then(end, end);
  signal.addEventListener("abort", wake.raise, { once: true });
  try {
    while (!signal.aborted && (!ended.signal.aborted || pending.size > 0)) {
      await wake.wait();
      await sleep(clock, TOGETHER_MS, signal);
      const projects = [...pending.values()];
      pending.clear();
      if (projects.length > 0) yield create(SummarizeProjectsResponseSchema, { sentAt: toTimestamp(clock.now()), projects });
    }
  } finally {
    signal.removeEventListener("abort", wake.raise);
    over.abort();
  }
  await reading;
}

interface ProjectReading {
  readonly viewerAccess: ViewerAccess;
  readonly path: string;
  readonly tell: (summary: ProjectSummary) => void;
}

/** Tells what is known of a project at first, and once more when its read has ended. */
async function readProject(context: IndexContext, { viewerAccess, path, tell }: ProjectReading, signal: AbortSignal): Promise<void> {
  const { clock } = context;
  const over = new AbortController();
  const cancel = clock.after(READ_MS, () => over.abort());
  const until = AbortSignal.any([signal, over.signal]);
  let state = START;
  let isFirst = true;
  const summary = (isDone: boolean): ProjectSummary =>
    projectSummary({ fullPath: path, rows: state.rows.values(), problem: state.problem, isDone });
  try {
    for await (const message of watchEnvironments(context, { viewerAccess, projectPath: path, visible: [], issues: false }, until)) {
      state = applyRows(state, message, { nowMs: clock.now(), first: isFirst });
      if (message.problem !== undefined || (state.complete && !isLoading(state))) break;
      tell(summary(false));
      isFirst = false;
    }
  } finally {
    cancel();
    over.abort();
  }
  if (!signal.aborted) tell(summary(true));
}
