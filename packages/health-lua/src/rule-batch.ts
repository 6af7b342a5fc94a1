import type { RuleBatch, RuleJob, RuleLanguage } from "./worker-message.ts";

/** A run that a caller waits for. */
export interface WorkerJob {
  readonly language: RuleLanguage;
  /** The script, or the expressions as JSON. */
  readonly text: string;
  /** The object as JSON. */
  readonly json: string;
}

/** 64 runs of Lua take about 20 ms. */
export const MAX_BATCH = 64;
const MAX_JSON_LENGTH = 4 * 1024 * 1024;

/** The next jobs as one message, at least one and at most 64 or 4 Mi characters of objects; each rule is written once. */
export function batchOf(waiting: readonly WorkerJob[]): { readonly batch: RuleBatch; readonly count: number } {
  const places = new Map<string, number>();
  const rules: RuleBatch["rules"][number][] = [];
  const jobs: RuleJob[] = [];
  let length = 0;
  for (const { language, text, json } of waiting.slice(0, MAX_BATCH)) {
    length += json.length;
    if (jobs.length > 0 && length > MAX_JSON_LENGTH) break;
    const key = `${language} ${text}`;
    const place = places.get(key) ?? rules.push({ language, text }) - 1;
    places.set(key, place);
    jobs.push({ rule: place, json });
  }
  return { batch: { rules, jobs }, count: jobs.length };
}
