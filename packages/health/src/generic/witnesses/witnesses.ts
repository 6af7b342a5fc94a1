import { words } from "@binnacle/words";

import { changedAt } from "../../age.ts";
import type { HealthStatus } from "../../health-status.ts";
import { quotedOr } from "../../quoted-or.ts";
import type { Evidence } from "../evidence.ts";
import { type Opinion, fieldIs, isWorse } from "../opinion.ts";
import { splitWords } from "../split-words.ts";
import { wordList } from "../vocabulary/word-list.ts";
import type { CountReading, FlagReading, StateReading } from "../readings.ts";
import { busyConditions, deniedConditions, errorConditions, knownConditions, ready } from "./condition-witnesses.ts";
import { errorFields } from "./error-fields.ts";

/** States of something that runs to an end and is not there yet. */
const RUNNING = wordList("running active started executing");

/** What runs to an end (a run, a backup, …) and is running is on its way. */
function unfinishedRun(evidence: Evidence): Opinion | null {
  if (!evidence.isUnfinishedRun) return null;
  return worstState(evidence, ({ own, value }) => (own && RUNNING.has(splitWords(value).at(-1) ?? "") ? "Progressing" : undefined));
}

/** The state of the object itself: phase, state, syncStatus, …; an unknown word means Progressing. */
function stateWords(evidence: Evidence): Opinion | null {
  return worstState(evidence, ({ own, exact, status }) => (own ? (status ?? (exact ? "Progressing" : undefined)) : undefined));
}

/** The states of components, members, listeners, …; an unknown word is ignored. */
function stateWordsBelow(evidence: Evidence): Opinion | null {
  return worstState(evidence, ({ own, status }) => (own || status === "Suspended" ? undefined : status));
}

/** As many are ready, updated, available, … as are wanted, or fewer; some are ill. */
function counters({ readings }: Evidence): Opinion | null {
  // What is paused by its own state is short of something on purpose.
  const isPaused = readings.states.some(({ own, status }) => own && status === "Suspended");
  const [first, ...others] = isPaused ? readings.counts.filter(({ isIll }) => isIll) : readings.counts;
  if (first === undefined) return null;
  const { path, have, wantPath, want, enough, isIll } = others.reduce((one, other) => (isBefore(other, one) ? other : one), first);
  const because =
    wantPath !== "" ? words("because/count", { path, value: have, wantPath, want }) : fieldIs(path, want === 0 ? have : `${have}/${want}`);
  if (isIll) return { status: "Degraded", reason: "Unhealthy", message: because, because };
  return { status: enough ? "Healthy" : "Progressing", reason: enough ? "Ready" : "NotReady", message: because, because };
}

/** What is ill first, then what is too few, then by path: the order of fields does not matter. */
function isBefore(one: CountReading, other: CountReading): boolean {
  if (one.isIll !== other.isIll) return one.isIll;
  return one.enough === other.enough ? one.path < other.path : !one.enough;
}

/** Booleans whose name says what they mean: `healthy: false`, `ready: false`, `failed: true`. That all is well only those of the object say. */
function flags({ readings }: Evidence): Opinion | null {
  let worst: FlagReading | undefined;
  for (const flag of readings.flags) {
    if (flag.status === "Healthy" && !flag.own) continue;
    if (worst === undefined || isWorse(flag.status, worst.status) || (flag.status === worst.status && flag.path < worst.path)) worst = flag;
  }
  if (worst === undefined) return null;
  const because = fieldIs(worst.path, worst.value);
  return { status: worst.status, reason: worst.path.slice(worst.path.lastIndexOf(".") + 1), message: because, because };
}

/** A check of one aspect of an object; `null` = it has no result. */
export type Witness = (evidence: Evidence) => Opinion | null;

/** Every witness by its name. All are evaluated and the worst result wins; of two equal ones the first is quoted. */
export const WITNESSES = {
  "error-conditions": errorConditions,
  ready,
  "busy-conditions": busyConditions,
  "known-conditions": knownConditions,
  "unfinished-run": unfinishedRun,
  "state-words": stateWords,
  "state-words-below": stateWordsBelow,
  counters,
  "error-fields": errorFields,
  flags,
  "denied-conditions": deniedConditions,
} as const satisfies Readonly<Record<string, Witness>>;

/**
 * The worst of the states that were read; of two that are as bad the one whose path comes first, so that the order of fields does not
 * matter.
 *
 * @param statusOf what a reading says; `undefined` = it is not heard
 */
function worstState(evidence: Evidence, statusOf: (reading: StateReading) => HealthStatus | undefined): Opinion | null {
  let worst: { readonly reading: StateReading; readonly status: HealthStatus } | undefined;
  for (const reading of evidence.readings.states) {
    const status = statusOf(reading);
    if (status === undefined) continue;
    const wins = worst === undefined || isWorse(status, worst.status) || (status === worst.status && reading.path < worst.reading.path);
    if (wins) worst = { reading, status };
  }
  if (worst === undefined) return null;
  const { path, value, message } = worst.reading;
  return {
    status: worst.status,
    reason: value,
    message: quotedOr(message, "because/field", { path, value }),
    since: changedAt(undefined, evidence.input),
    because: fieldIs(path, value),
  };
}
