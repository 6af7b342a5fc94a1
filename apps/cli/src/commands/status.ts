import { followEnvironment } from "../connection/follow-environment.ts";
import { firstWhole } from "../connection/first-whole.ts";
import { environmentOf, withSession, type NamedEnvironment, type Session } from "../connection/session.ts";
import { formatOf, writeDocument } from "../output/documents.ts";
import { Progress } from "../output/progress.ts";
import { stylesOf } from "../output/styles.ts";
import type { CommandCall, CommandSpec } from "../program/command.ts";
import { ENVIRONMENT, OUTPUT, PROJECT, QUIET } from "../program/common-options.ts";
import { EXIT, usageFailure } from "../program/exit-codes.ts";
import { durationMs } from "../settings/duration.ts";
import { revisionText } from "../status/revision.ts";
import { reportDocument, statusText, wordOfVerdict, type Report } from "../status/status-report.ts";
import { verdictOf } from "../status/verdict.ts";
import { Wait, type WaitOptions, type WaitStep } from "../status/wait.ts";

/** `binnacle status`. */
export const STATUS: CommandSpec = {
  name: "status",
  summary: "Show how an environment is, or wait until it is healthy",
  details: [
    "With --wait healthy the command ends only with a verdict that is newer than its start and that a live source vouches for. With --revision it also waits until that commit is what runs: the last deployment of the main application, or a GitOps sync that has applied it as a whole.",
    "Degraded ends the wait only after it has lasted --settle. A part of the kinds can prove that something is wrong, and never that nothing is: a healthy environment of which the token may not read everything ends with 3.",
  ],
  arguments: [ENVIRONMENT],
  options: [
    PROJECT,
    OUTPUT,
    { name: "wait", value: "STATUS", choices: ["healthy"], help: "wait for this status" },
    { name: "timeout", value: "DURATION", help: "how long --wait waits at most; default: 10m" },
    { name: "settle", value: "DURATION", help: "how long the environment must be degraded before --wait ends; default: 30s" },
    { name: "revision", value: "SHA", help: "with --wait: the commit that must be what runs, at least its first 7 digits" },
    QUIET,
  ],
  examples: ["binnacle status production", 'binnacle status production --wait healthy --timeout 10m --revision "$CI_COMMIT_SHA"'],
  run: async (call) => {
    const waiting = waitOptions(call);
    return withSession(call, async (session) => {
      const named = environmentOf(call, session.settings);
      return waiting === undefined ? look(call, session, named) : wait(call, { session, named, waiting });
    });
  },
};

const DEFAULT_TIMEOUT = "10m";
const DEFAULT_SETTLE = "30s";

function waitOptions({ options }: CommandCall): WaitOptions | undefined {
  const given = ["timeout", "settle", "revision"].filter((name) => options.text(name) !== undefined);
  if (options.text("wait") === undefined) {
    if (given.length > 0) throw usageFailure(`--${given[0]} needs --wait healthy.`);
    return undefined;
  }
  const revision = options.text("revision");
  return {
    timeoutMs: durationMs(options.text("timeout") ?? DEFAULT_TIMEOUT, "timeout"),
    settleMs: durationMs(options.text("settle") ?? DEFAULT_SETTLE, "settle"),
    revision: revision === undefined ? undefined : revisionText(revision),
  };
}

async function look(call: CommandCall, session: Session, named: NamedEnvironment): Promise<number> {
  const state = await firstWhole(session, named, call.terminal);
  if (call.terminal.isInterrupted()) return EXIT.interrupted;
  const verdict = verdictOf(state.view, state.nowMs);
  writeReport(call, { named, view: state.view, verdict, nowMs: state.nowMs }, verdict.exitCode);
  return verdict.exitCode;
}

const WAITS_FOR = {
  revision: "waiting for the revision",
  live: "waiting for a live source",
  confirmation: "waiting for a confirmation",
  settling: "waiting for it to settle",
  healthy: "waiting for healthy",
} as const;

async function wait(
  call: CommandCall,
  { session, named, waiting }: { readonly session: Session; readonly named: NamedEnvironment; readonly waiting: WaitOptions },
): Promise<number> {
  const { terminal, options } = call;
  const { clock, signal } = terminal;
  const progress = new Progress(terminal, options.has("quiet"));
  const beganMs = clock.now();
  const waited = new Wait(waiting, beganMs);
  let last: WaitStep | undefined;
  const state = await followEnvironment({ clients: session.clients, ...named, clock, signal, retries: true }, ({ view, nowMs }) => {
    const ownMs = clock.now();
    last = waited.look(view, { serverMs: nowMs, ownMs });
    if (!last.done)
      progress.show(
        `${named.environment}: ${wordOfVerdict(last.verdict)}, ${WAITS_FOR[last.waitsFor]}`,
        `${Math.floor((ownMs - beganMs) / 1_000)} s`,
      );
    return last.done;
  });
  progress.done();
  if (terminal.isInterrupted()) return EXIT.interrupted;
  if (last?.done !== true) return EXIT.unknown;
  const { verdict, exitCode, isTimeout } = last;
  writeReport(call, { named, view: state.view, verdict, nowMs: state.nowMs }, exitCode);
  if (isTimeout) terminal.note(`binnacle: ${timeoutSentence(last, waiting, options.text("timeout") ?? DEFAULT_TIMEOUT)}\n`);
  return exitCode;
}

function timeoutSentence({ isDeployed, verdict }: WaitStep & { readonly done: true }, { revision }: WaitOptions, timeout: string): string {
  if (!isDeployed) return `Commit ${revision ?? ""} was not what runs within ${timeout}.`;
  if (verdict.exitCode === EXIT.ok) return `No live source confirmed within ${timeout} that the environment is healthy.`;
  return `The environment was not healthy within ${timeout}.`;
}

function writeReport({ terminal, options }: CommandCall, report: Report, exitCode: number): void {
  const format = formatOf(options);
  if (format === "table") terminal.write(statusText(report, stylesOf(terminal)));
  else writeDocument(terminal, format, reportDocument(report, exitCode));
}
