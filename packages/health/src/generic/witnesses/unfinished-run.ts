import type { Evidence } from "../evidence.ts";
import type { Opinion } from "../opinion.ts";
import { splitWords } from "../split-words.ts";
import { wordList } from "../vocabulary/word-list.ts";
import { worstState } from "../worst-state.ts";

/** States of something that runs to an end and is not there yet. */
const RUNNING = wordList("running active started executing");

/** What runs to an end (a run, a backup, …) and is running is on its way. */
export function unfinishedRun(evidence: Evidence): Opinion | null {
  if (!evidence.isUnfinishedRun) return null;
  return worstState(evidence, ({ own, value }) => (own && RUNNING.has(splitWords(value).at(-1) ?? "") ? "Progressing" : undefined));
}
