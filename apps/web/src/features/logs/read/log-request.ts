import type { ResourceRef } from "@binnacle/proto/dashboard";
import { LogLevel, type ReadLogsRequestSchema } from "@binnacle/proto/dashboard-logs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { DEFAULT_TAIL, LEVEL_WORDS, type LogsState } from "../../address/logs-state.ts";

/** Whose logs. */
export interface LogsOf {
  readonly projectPath: string;
  readonly environment: string;
  /** None: every pod of the environment. */
  readonly refs: readonly ResourceRef[];
}

/** A request without what changes with every stream. */
export type LogsRequest = Omit<MessageInitShape<typeof ReadLogsRequestSchema>, "positions" | "follow" | "$typeName">;

/** A request as it is sent for one stream. */
export type LogsStreamRequest = Omit<MessageInitShape<typeof ReadLogsRequestSchema>, "$typeName">;

const LEVELS: Readonly<Record<string, LogLevel>> = {
  debug: LogLevel.DEBUG,
  info: LogLevel.INFO,
  warning: LogLevel.WARNING,
  error: LogLevel.ERROR,
};
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };
/** So much before the line of a link is read too. */
const BEFORE_LINE_NANOS = 30_000_000_000n;

/** The request for a choice. @param nowMs milliseconds since 1970, by the server's clock */
export function logsRequest({ projectPath, environment, refs }: LogsOf, state: LogsState, nowMs: number): LogsRequest {
  const line = lineOf(state.line);
  const since = line === undefined ? sinceNanos(state.since, nowMs) : line.timeNanos - BEFORE_LINE_NANOS;
  const tailLines = line === undefined ? tailOf(state) : undefined;
  return {
    projectPath,
    environment,
    refs: [...refs],
    containers: [...state.containers],
    previous: state.previous,
    ...(since === undefined ? {} : { since: { seconds: since / 1_000_000_000n, nanos: Number(since % 1_000_000_000n) } }),
    ...(tailLines === undefined ? {} : { tailLines }),
    filter: {
      levels: levelsOf(state.levels),
      ...(state.isOnly ? { pattern: state.find, isRegularExpression: state.isExpression, matchesCase: state.matchesCase } : {}),
      ...(contextOf(state) > 0 && { contextLines: contextOf(state) }),
    },
  };
}

/** Lines of context that are read with each match; 0 where all lines are read. */
export function contextOf({ find, isOnly, contextLines }: Pick<LogsState, "find" | "isOnly" | "contextLines">): number {
  return isOnly && find !== "" ? contextLines : 0;
}

/** What of a choice changes what is read, as a text: the same text, the same lines. */
export function requestKey({ projectPath, environment, refs }: LogsOf, state: LogsState): string {
  const { find, isExpression, matchesCase, isOnly, contextLines, ...rest } = state;
  const names = refs.map(({ group, kind, namespace, name }) => [group, kind, namespace, name]);
  return JSON.stringify([
    projectPath,
    environment,
    names,
    rest,
    isOnly && find !== "" ? [find, isExpression, matchesCase, contextLines] : [],
  ]);
}

/** Whether lines may be left out that do not match. */
export function isFiltered(state: LogsState): boolean {
  return state.levels.length > 0 || (state.isOnly && state.find !== "");
}

/** The last lines of each container that are requested; `undefined` for all. With a beginning in time all are, unless `tail` limits them. */
export function tailOf({ tail, since }: Pick<LogsState, "tail" | "since">): number | undefined {
  if (tail === "all" || (tail === "" && since !== "")) return undefined;
  return tail === "" ? DEFAULT_TAIL : Number(tail);
}

/** The line that a link is about. */
export function lineOf(text: string): { readonly key: string; readonly timeNanos: bigint } | undefined {
  const [key = "", nanos = ""] = text.split("@");
  return nanos === "" ? undefined : { key, timeNanos: BigInt(nanos) };
}

function levelsOf(words: readonly string[]): LogLevel[] {
  return LEVEL_WORDS.flatMap((word) => (words.includes(word) ? [LEVELS[word] ?? LogLevel.UNSPECIFIED] : []));
}

function sinceNanos(since: string, nowMs: number): bigint | undefined {
  if (since === "") return undefined;
  const [, count, unit] = /^(\d+)([mh])$/.exec(since) ?? [];
  const ms = count === undefined ? Date.parse(since) : nowMs - Number(count) * (UNIT_MS[unit ?? ""] ?? 0);
  return Number.isNaN(ms) ? undefined : BigInt(Math.floor(ms)) * 1_000_000n;
}
