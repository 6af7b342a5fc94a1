import { isFields, listAt, textAt, type Fields } from "@binnacle/kube";

import { timeOf } from "../age.ts";
import { sentenceAt } from "../bounded-text.ts";
import { parseConditions } from "../condition.ts";
import type { HealthStatus } from "../health-status.ts";
import { conditionList } from "./condition-list.ts";
import { Counts } from "./counts.ts";
import { fieldMeaning, type FieldMeaning } from "./field-meaning.ts";
import type { ConditionList, ErrorReading, FlagReading, Readings, CountReading, StateReading } from "./readings.ts";
import { splitWords } from "./split-words.ts";
import { statusOfState } from "./state-meaning.ts";
import { toneOf } from "./tone.ts";
import { ERROR_WORDS, NEGATIONS } from "./vocabulary/error-words.ts";

/** So far below the status its fields are read. */
const MAX_DEPTH = 3;
/** So many entries of a list, and of a map below the status. */
const MAX_ENTRIES = 50;
/** So many fields in all: a walk through them takes less time than to list the fields of 256 KiB. */
const MAX_FIELDS = 1_000;
/** So many conditions of all lists below. */
const MAX_CONDITIONS = 200;
/** A text of fewer words is no sentence. */
const MIN_SENTENCE_WORDS = 3;
/** Longest text that is taken for a state, in characters. */
const MAX_STATE_CHARS = 256;

/**
 * One walk through a status, for all witnesses: three levels deep, 1,000 fields and 200 conditions in all; of a longer list, and of a larger
 * map below the status, the first 50 entries stand for all. It reads by the names of fields, and goes nowhere below names that are about
 * another time or another object. When the budget is used up, `isCut` is set, and the object must not become Healthy.
 */
export function readStatus(status: Fields, spec: Fields): Readings {
  const walk = new Walk(spec);
  walk.visit(status, { path: "status", depth: 0, ofState: false, onlyFailures: false });
  return walk;
}

/** Where the walk is. */
interface Place {
  readonly path: string;
  readonly depth: number;
  /** Whether the map stands in a field that names a state itself. */
  readonly ofState: boolean;
  /** Of an outside provider only a failed state is read. */
  readonly onlyFailures: boolean;
}

class Walk implements Readings {
  readonly states: StateReading[] = [];
  readonly flags: FlagReading[] = [];
  readonly errors: ErrorReading[] = [];
  readonly lastErrors: ErrorReading[] = [];
  readonly counts: CountReading[] = [];
  readonly below: ConditionList[] = [];
  isEmpty = true;
  isCut = false;
  started = false;
  ended = false;
  readonly #spec: Fields;
  #fields = 0;
  #conditions = 0;

  constructor(spec: Fields) {
    this.#spec = spec;
  }

  visit(fields: Fields, place: Place): void {
    const counts = new Counts();
    let entries = 0;
    for (const name in fields) {
      this.isCut ||= this.#fields++ >= MAX_FIELDS;
      if (this.isCut || (place.depth > 0 && entries++ >= MAX_ENTRIES)) break;
      const value = fields[name];
      if (value === null || value === undefined || value === "") continue;
      if (place.depth === 0 && this.isEmpty) this.isEmpty = typeof value === "object" && isBare(value);
      const meaning = fieldMeaning(name);
      if (typeof value === "object") this.#inner(value, meaning, { name, place });
      else this.#leaf(value, meaning, { name, place, fields, counts });
    }
    if (place.onlyFailures) return;
    if (place.depth === 0) counts.addWanted(this.#spec);
    counts.compare(place.path, this.counts);
  }

  #inner(value: object, meaning: FieldMeaning, { name, place }: { readonly name: string; readonly place: Place }): void {
    if (meaning.isConditions && Array.isArray(value)) {
      if (place.onlyFailures) return;
      if (place.depth > 0 || name !== "conditions") this.#conditionsBelow(value, `${place.path}.${name}`);
      return;
    }
    if (
      (meaning.isError || meaning.isLastError || (meaning.isFailed && Array.isArray(value))) &&
      !place.onlyFailures &&
      isSomething(value)
    ) {
      const list = meaning.isLastError ? this.lastErrors : this.errors;
      list.push({ path: `${place.path}.${name}`, text: textAt(value, "message") });
    }
    if (meaning.skipped || place.depth >= MAX_DEPTH) return;
    const depth = place.depth + 1;
    const path = `${place.path}.${name}`;
    if (!Array.isArray(value)) {
      const onlyFailures = place.onlyFailures || meaning.isProvider;
      if (isFields(value)) this.visit(value, { path, depth, ofState: place.depth === 0 && meaning.state !== undefined, onlyFailures });
      return;
    }
    const end = Math.min(value.length, MAX_ENTRIES);
    // Of a history only its last entry is about now.
    const start = isHistory(value) ? value.length - 1 : 0;
    for (let index = start; index < Math.max(end, start + 1); index++) {
      const entry: unknown = value[index];
      if (!isFields(entry) || isOfFormerParent(entry, this.#spec)) continue;
      this.visit(entry, { path: `${path}[${index}]`, depth, ofState: false, onlyFailures: place.onlyFailures });
    }
  }

  #leaf(value: unknown, meaning: FieldMeaning, at: Leaf): void {
    const { name, place, fields, counts } = at;
    if (place.onlyFailures) return this.#failure(value, meaning, at);
    if (typeof value === "number") {
      if (meaning.count !== undefined) counts.add(meaning.count, name, value);
      return;
    }
    const own = place.depth === 0;
    const truth = truthOf(value);
    if (truth !== undefined) {
      const status = truth ? meaning.whenTrue : meaning.whenFalse;
      if (status !== undefined) this.flags.push({ path: `${place.path}.${name}`, value: truth, status, own });
    }
    if (typeof value !== "string") return;
    if (meaning.time !== undefined) this.#time(meaning.time, own);
    if (meaning.isError && isErrorText(value))
      (isOverBeside(fields, place) ? this.lastErrors : this.errors).push({ path: `${place.path}.${name}`, text: sentenceAt(fields, name) });
    if (isPastError(value, meaning)) this.lastErrors.push({ path: `${place.path}.${name}`, text: sentenceAt(fields, name) });
    if (meaning.count !== undefined) counts.addText(meaning.count, name, value);
    const isState = meaning.state !== undefined || meaning.whenFalse !== undefined || (meaning.isWhole && place.ofState);
    if (truth !== undefined || !isState) return;
    const word = value.slice(0, MAX_STATE_CHARS);
    const reason = sentenceOfReason(fields);
    this.states.push({
      path: `${place.path}.${name}`,
      value: word,
      status: statusBeside(word, reason),
      own: own || place.ofState,
      exact: meaning.state === "exact",
      message: sentenceAt(fields, "message") || reason,
    });
  }

  #failure(value: unknown, { state }: FieldMeaning, { name, place, fields }: Leaf): void {
    if (typeof value !== "string" || state === undefined) return;
    const word = value.slice(0, MAX_STATE_CHARS);
    if (statusOfState(word) !== "Degraded") return;
    const message = sentenceAt(fields, "message");
    this.states.push({ path: `${place.path}.${name}`, value: word, status: "Degraded", own: false, exact: state === "exact", message });
  }

  #time(time: "start" | "end", own: boolean): void {
    if (!own) return;
    if (time === "start") this.started = true;
    else this.ended = true;
  }

  #conditionsBelow(list: readonly unknown[], path: string): void {
    const left = MAX_CONDITIONS - this.#conditions;
    this.#conditions += Math.min(left, list.length);
    if (list.length > left) this.isCut = true;
    const conditions = parseConditions(list.slice(0, left));
    if (conditions.length > 0) this.below.push(conditionList(path, conditions));
  }
}

/** What stands as `reason` beside a state, where it is a sentence and no word for machines; else empty. */
function sentenceOfReason(fields: Fields): string {
  const reason = sentenceAt(fields, "reason");
  return reason.trim().split(/\s+/, MIN_SENTENCE_WORDS).length >= MIN_SENTENCE_WORDS ? reason : "";
}

/** A state that says that it takes time, beside a reason that begins by naming a failure, is one that fails again and again. */
function statusBeside(word: string, reason: string): HealthStatus | undefined {
  const status = statusOfState(word);
  return status === "Progressing" && toneOf(reason).errorFirst ? "Degraded" : status;
}

/** A field that is no map and no list. */
interface Leaf {
  readonly name: string;
  readonly place: Place;
  readonly fields: Fields;
  readonly counts: Counts;
}

/** A list or a map with nothing in it. */
function isBare(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _name in value) return false;
  return true;
}

/** A boolean, also one that is written as text. */
function truthOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "True" || value === "true" || value === "TRUE") return true;
  return value === "False" || value === "false" || value === "FALSE" ? false : undefined;
}

/** A list in which every entry is a state, a time and words about it, oldest first; what has anything else, such as a name, is a member. */
function isHistory(list: readonly unknown[]): boolean {
  if (list.length < 2 || list.length > MAX_ENTRIES) return false;
  const times = list.map((entry) => (isFields(entry) ? timeBesideState(entry) : Number.NaN));
  return times.every((time, index) => !Number.isNaN(time) && time >= (times[index - 1] ?? time));
}

/** When a state began that stands in a map of its own, in milliseconds; NaN = it has no time, or something else. */
function timeBesideState(entry: Fields): number {
  let [hasState, at] = [false, Number.NaN];
  for (const [name, value] of Object.entries(entry).slice(0, MAX_ENTRIES)) {
    if (typeof value !== "string") return Number.NaN;
    if (fieldMeaning(name).state === "exact") hasState = true;
    else if (TIME_KEY.test(name)) at = Number.isNaN(at) ? timeOf(value) : at;
    else if (!WORDS_ABOUT.has(name)) return Number.NaN;
  }
  return hasState ? at : Number.NaN;
}

const WORDS_ABOUT: ReadonlySet<string> = new Set(["message", "reason", "description"]);
const TIME_KEY = /(?:[tT]ime(?:stamp)?|At)$/;

/** A list with entries, or a map with one that is not empty. */
function isSomething(value: object): boolean {
  if (Array.isArray(value)) return value.length > 0;
  // What it says stands in its first fields.
  let left = MAX_ENTRIES;
  for (const name in value) {
    if (left-- <= 0) return true;
    const inner: unknown = Reflect.get(value, name);
    if (inner !== null && inner !== undefined && inner !== "" && inner !== 0 && inner !== false) return true;
  }
  return false;
}

/** A text in a field for errors, unless it says that there is none. */
function isErrorText(text: string): boolean {
  const [first, second = ""] = splitWords(text);
  if (first === undefined || NO_ERROR.has(text.toLowerCase())) return false;
  // "no errors", but "no space left".
  return !(NEGATIONS.has(first) && ERROR_WORDS.has(second));
}

/** Whether a member is well by its own state, so that an error in it is an old one. */
function isOverBeside(fields: Fields, { depth }: Place): boolean {
  if (depth === 0) return false;
  return STATES_OF_MEMBERS.some((name) => statusOfState(textAt(fields, name).slice(0, MAX_STATE_CHARS)) === "Healthy");
}

const STATES_OF_MEMBERS = ["state", "phase", "status", "health"];

/** A text of an error that may be over. */
function isPastError(text: string, { isLastError, isMessage }: FieldMeaning): boolean {
  return (isLastError && isErrorText(text)) || (isMessage && toneOf(text).errorFirst);
}

/**
 * Whether an entry is about a parent that the spec does not name any more: its controller never changes it again (Gateway API,
 * RouteParentStatus).
 */
function isOfFormerParent(entry: Fields, spec: Fields): boolean {
  const parent = entry["parentRef"];
  const wanted = listAt(spec, "parentRefs");
  if (!isFields(parent) || wanted.length === 0) return false;
  return !wanted.slice(0, MAX_ENTRIES).some((reference) => isFields(reference) && isSameParent(parent, reference));
}

function isSameParent(one: Fields, other: Fields): boolean {
  const [namespace, wanted] = [textAt(one, "namespace"), textAt(other, "namespace")];
  if (namespace !== "" && wanted !== "" && namespace !== wanted) return false;
  if ((textAt(one, "kind") || "Gateway") !== (textAt(other, "kind") || "Gateway")) return false;
  return ["name", "sectionName"].every((name) => textAt(one, name) === textAt(other, name)) && one["port"] === other["port"];
}

const NO_ERROR: ReadonlySet<string> = new Set(["none", "nil", "<nil>", "null", "ok", "success", "false", "n/a"]);
