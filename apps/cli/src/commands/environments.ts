import type { EnvironmentRow, WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { keyOfStatus, wordOf } from "@binnacle/presentation/health/health-status";
import { headlineOf } from "@binnacle/presentation/health/summary-words";
import { oldWords, summaryWords, unknownWords, type KnownRow } from "@binnacle/presentation/environments/index-words";
import { asOfMsOf, knowledgeOf } from "@binnacle/presentation/environments/row-knowledge";
import { sortedNames } from "@binnacle/presentation/environments/row-order";
import { millisOf } from "@binnacle/presentation/text/format-time";
import { messageText, tLater } from "@binnacle/presentation/text/messages";
import { markInvisible } from "@binnacle/words";

import { withSession, type Session } from "../connection/session.ts";
import { formatOf, timeText, writeDocument } from "../output/documents.ts";
import { stylesOf, type Styles } from "../output/styles.ts";
import { textTable, type Cell } from "../output/text-table.ts";
import type { CommandSpec } from "../program/command.ts";
import { OUTPUT, PROJECT } from "../program/common-options.ts";
import { CommandFailure, EXIT } from "../program/exit-codes.ts";
import type { Terminal } from "../program/terminal.ts";
import { projectOf } from "../settings/settings.ts";

/** Rows that are not counted yet are waited for so long, once all environments are known. */
const ROWS_MS = 15_000;
const TICK_MS = 500;

/** `binnacle environments`. */
export const ENVIRONMENTS: CommandSpec = {
  name: "environments",
  summary: "List the environments of a project with their health",
  arguments: [],
  options: [PROJECT, OUTPUT],
  examples: ["binnacle environments --project group/app"],
  run: (call) =>
    withSession(call, async (session) => {
      const { terminal, options } = call;
      const projectPath = projectOf(options, session.settings);
      const { rows, nowMs } = await readRows(session, projectPath, terminal);
      if (terminal.isInterrupted()) return EXIT.interrupted;
      const format = formatOf(options);
      if (format === "table") terminal.write(tableOf(rows, stylesOf(terminal), nowMs));
      else writeDocument(terminal, format, documentOf(projectPath, rows, nowMs));
      return EXIT.ok;
    }),
};

interface Rows {
  /** Most harm first, as in the index. */
  readonly rows: readonly KnownRow[];
  /** The server's time. */
  readonly nowMs: number;
}

async function readRows({ clients }: Session, projectPath: string, { clock, signal }: Pick<Terminal, "clock" | "signal">): Promise<Rows> {
  const rows = new Map<string, EnvironmentRow>();
  const over = new AbortController();
  let [aheadMs, completeSinceMs] = [0, Infinity];
  const known = (): Rows => {
    const standing = { nowMs: clock.now() + aheadMs, lostSinceMs: undefined, kept: new Map<string, number>() };
    const ordered = sortedNames(rows).flatMap((name) => rows.get(name) ?? []);
    return { rows: ordered.map((row) => ({ row, knowledge: knowledgeOf(row, standing) })), nowMs: standing.nowMs };
  };
  const isEnough = (): boolean =>
    clock.now() - completeSinceMs >= ROWS_MS ||
    (completeSinceMs < Infinity && known().rows.every(({ knowledge }) => knowledge.kind !== "unknown" || knowledge.why !== "loading"));
  let cancel = (): void => undefined;
  const tick = (): void => {
    cancel = clock.after(TICK_MS, () => (isEnough() ? over.abort() : tick()));
  };
  tick();
  try {
    for await (const message of clients.dashboard.watchEnvironments({ projectPath }, { signal: AbortSignal.any([signal, over.signal]) })) {
      if (message.problem !== undefined) throw new CommandFailure(messageText(message.problem.words));
      if (message.sentAt !== undefined) aheadMs = millisOf(message.sentAt) - clock.now();
      take(rows, message);
      if (message.complete && completeSinceMs === Infinity) completeSinceMs = clock.now();
      if (isEnough()) break;
    }
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    cancel();
  }
  return known();
}

function take(rows: Map<string, EnvironmentRow>, { rows: changed, removed, seen }: WatchEnvironmentsResponse): void {
  for (const name of removed) rows.delete(name);
  for (const row of changed) rows.set(row.environment?.name ?? "", row);
  for (const { asOf, names } of seen) {
    for (const name of names) {
      const row = rows.get(name);
      if (row !== undefined && asOf !== undefined) rows.set(name, { ...row, asOf });
    }
  }
}

function tableOf(rows: readonly KnownRow[], styles: Styles, nowMs: number): string {
  if (rows.length === 0) return "";
  const titles = [tLater("ui/name"), tLater("ui/health"), "Workloads", ""].map((title) => title.toUpperCase());
  const cells = rows.map(({ row, knowledge }): readonly (string | Cell)[] => {
    const { health, environment } = row;
    const look = health === undefined ? "unknown" : headlineOf(health, environment?.delivery, nowMs).look;
    const word = health === undefined ? "–" : wordOf(health.status);
    const ready = health === undefined ? "" : `${row.workloadsReady}/${row.workloads}`;
    return [
      markInvisible(environment?.name ?? ""),
      { text: word, styled: styles.look(look, word) },
      ready,
      markInvisible(sentenceOf({ row, knowledge }, nowMs)),
    ];
  });
  return `${textTable(titles, cells)}${summaryWords(rows, nowMs)}\n`;
}

function sentenceOf({ row, knowledge }: KnownRow, nowMs: number): string {
  const { health, environment } = row;
  if (knowledge.kind === "outside") return messageText(row.problem?.words ?? row.gapWords);
  if (health === undefined) return knowledge.kind === "unknown" ? unknownWords(knowledge, row) : "";
  const { main } = headlineOf(health, environment?.delivery, nowMs);
  return knowledge.kind === "old" ? `${main} (${oldWords(knowledge)})` : main;
}

function documentOf(project: string, rows: readonly KnownRow[], nowMs: number) {
  return {
    format: "binnacle.environments",
    version: 1,
    project,
    rows: rows.map(({ row, knowledge }) => ({
      environment: row.environment?.name ?? "",
      tier: row.environment?.tier ?? "",
      agent: row.environment?.agentName ?? "",
      namespace: row.environment?.namespace ?? "",
      known: knowledge.kind,
      status: row.health === undefined ? "unknown" : keyOfStatus(row.health.status),
      partial: row.health?.partial ?? false,
      sentence: sentenceOf({ row, knowledge }, nowMs),
      workloads: row.workloads,
      workloadsReady: row.workloadsReady,
      asOf: timeText(row.live ? nowMs : asOfMsOf(row)),
    })),
  };
}
