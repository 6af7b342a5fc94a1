import type { Evidence } from "../evidence.ts";
import type { Opinion } from "../opinion.ts";
import { busyConditions } from "./busy-conditions.ts";
import { counters } from "./counters.ts";
import { deniedConditions } from "./denied-conditions.ts";
import { errorConditions } from "./error-conditions.ts";
import { errorFields } from "./error-fields.ts";
import { flags } from "./flags.ts";
import { knownConditions } from "./known-conditions.ts";
import { ready } from "./ready.ts";
import { stateWords } from "./state-words.ts";
import { stateWordsBelow } from "./state-words-below.ts";
import { unfinishedRun } from "./unfinished-run.ts";

/** Somebody who looks at one side of an object; `null` = it has nothing to say. */
export type Witness = (evidence: Evidence) => Opinion | null;

/** Every witness by its name. All are heard and the worst word wins; of two that say the same the first is quoted. */
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
