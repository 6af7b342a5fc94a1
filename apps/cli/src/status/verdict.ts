import { SettledState, StaleCause } from "@binnacle/proto/dashboard-enums";
import type { Source } from "@binnacle/proto/dashboard";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import type { StateLook } from "@binnacle/presentation/health/health-status";
import { headlineOf, isHealthKnown } from "@binnacle/presentation/health/summary-words";
import { withSyncIssues } from "@binnacle/presentation/health/with-sync-issues";
import { millisOf } from "@binnacle/presentation/text/format-time";
import { messageText, t } from "@binnacle/presentation/text/messages";
import { asOfWords } from "@binnacle/presentation/view/as-of-words";
import { connectionSentence } from "@binnacle/presentation/view/connection-words";
import { freshnessOf, type Freshness } from "@binnacle/presentation/view/freshness";
import { isFinal } from "@binnacle/presentation/view/pause";
import type { ViewState } from "@binnacle/presentation/view/view-state";

import { EXIT } from "../program/exit-codes.ts";

/** How an environment is, in the words of its page. */
export interface Verdict {
  /** The look of the headline: the worst of its health and of its delivery. "unknown" where nothing says it. */
  readonly look: StateLook;
  /** The headline of the page: what is worst, and what else there is to it. */
  readonly sentence: string;
  readonly rest: string;
  /** Who is away, or why the environment cannot be shown; empty where neither is so. */
  readonly gap: string;
  readonly health: EnvironmentHealth | undefined;
  readonly freshness: Freshness;
  /** Every kind has been read, and all that counts for health is vouched for by a live source. */
  readonly isVouched: boolean;
  readonly exitCode: number;
  /** The server will say nothing else. */
  readonly isFinal: boolean;
}

/** Codes of the looks of a headline. */
const CODES: Readonly<Record<StateLook, number>> = {
  healthy: EXIT.ok,
  suspended: EXIT.ok,
  degraded: EXIT.bad,
  missing: EXIT.bad,
  progressing: EXIT.progressing,
  unknown: EXIT.unknown,
  locked: EXIT.unknown,
  neutral: EXIT.unknown,
};

/** The verdict of a view. @param nowMs the server's time */
export function verdictOf(view: ViewState, nowMs: number): Verdict {
  const { environment, problem } = view;
  const freshness = freshnessOf(view, nowMs);
  const known = isHealthKnown(view) ? view.health : undefined;
  const health = known && withSyncIssues(known, environment?.delivery);
  const headline = health && headlineOf(health, environment?.delivery, nowMs);
  const asOf = asOfWords(freshness, nowMs);
  const main = headline?.main ?? t("why/not-known-yet");
  const look = headline?.look ?? "unknown";
  const facts = {
    look,
    sentence: asOf === undefined ? main : `${asOf.replace(/^./, (first) => first.toUpperCase())}: ${main}`,
    rest: headline?.rest ?? "",
    gap: gapOf(view, freshness, nowMs),
    health,
    freshness,
    isVouched: isLive(view, freshness) && view.sources.every((source) => !source.countsForHealth || isVouchedFor(source)),
    isFinal: isFinal(problem),
  };
  return { ...facts, exitCode: codeOf(view, facts) };
}

/** A part of the kinds can prove that something is wrong, and never that nothing is. */
function codeOf(view: ViewState, { look, health, freshness }: Pick<Verdict, "look" | "health" | "freshness">): number {
  if (health === undefined || !isLive(view, freshness)) return EXIT.unknown;
  const code = CODES[look];
  return health.partial && code !== EXIT.bad ? EXIT.unknown : code;
}

function isLive(view: ViewState, freshness: Freshness): boolean {
  return view.problem === undefined && view.complete && !view.stale && !view.kept && freshness.kind === "live";
}

function isVouchedFor({ settled, staleSince, staleCause }: Source): boolean {
  if (settled === SettledState.UNSPECIFIED) return false;
  return staleSince === undefined || staleCause === StaleCause.SAMPLED;
}

function gapOf(view: ViewState, freshness: Freshness, nowMs: number): string {
  const { connection, environment, problem, empty } = view;
  if (problem !== undefined) return [messageText(problem.words), messageText(problem.details)].filter((text) => text !== "").join("\n");
  const away = connectionSentence(freshness, {
    agent: environment?.agentName ?? "",
    message: messageText(connection?.words),
    hasContent: view.version > 0,
    isKept: view.kept,
    nowMs,
  });
  return away ?? messageText(empty?.words);
}

/** When a kind without a watch was read last, of those that count for health; `undefined` when all are watched. */
export function oldestSampleMs(sources: readonly Source[]): number | undefined {
  const sampled = sources.filter(({ countsForHealth, staleCause }) => countsForHealth && staleCause === StaleCause.SAMPLED);
  return sampled.length === 0 ? undefined : Math.min(...sampled.map(({ asOf }) => (asOf === undefined ? 0 : millisOf(asOf))));
}
