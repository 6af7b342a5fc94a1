import { constantsOf, GoTexts } from "./go-constants.ts";
import { bracketed, partsOf, withoutComments } from "./go-text.ts";

/** A condition that a piece of Go writes. */
export interface WrittenCondition {
  readonly type: string;
  /** Empty: none is given. */
  readonly reason: string;
  /** Those that it is written with, where the source says it in so many words. */
  readonly statuses: readonly string[];
}

/** A function that makes or sets a condition: where among its arguments type, status and reason are; a text is what it always is. */
export interface Setter {
  readonly name: string;
  readonly type: number | string;
  readonly status: number | string;
  readonly reason: number;
}

/** How conditions are written in a file. */
export interface Writing {
  /** Name of the Go struct of the condition. */
  readonly struct: string;
  readonly setters: readonly Setter[];
}

interface Draft {
  /** Where it stands in the source. */
  readonly place: number;
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

/**
 * Conditions that Go source writes: as a literal of the struct, through a setter, or field by field into a variable that held such
 * a literal. A condition without a text is passed to `unread`.
 */
export function writtenConditions(
  source: string,
  { struct, setters }: Writing,
  { constants, unread }: { readonly constants: ReadonlyMap<string, string>; readonly unread: (expression: string) => void },
): WrittenCondition[] {
  const plain = withoutComments(source);
  const own = new Map([...constants, ...constantsOf(plain).map(({ name, value }): [string, string] => [name, value])]);
  const texts = new GoTexts(own, plain);
  const drafts = [...draftsOfLiterals(plain, struct), ...setters.flatMap((setter) => draftsOfCalls(plain, setter))];
  return drafts.flatMap(({ place, type, status, reason }) => {
    const types = texts.of(type, place);
    const reasons = reason === "" ? [""] : texts.of(reason, place);
    if (types.length === 0) unread(type);
    if (reasons.length === 0) unread(reason);
    const statuses = [/Condition(True|False|Unknown)$/.exec(status)?.[1]].filter((word) => word !== undefined);
    return types.flatMap((each) => reasons.map((word) => ({ type: each, reason: word, statuses })));
  });
}

/** Literals of the struct in the order of the source, and what is put into their variables afterwards. */
function draftsOfLiterals(source: string, struct: string): Draft[] {
  if (struct === "") return [];
  const sign = new RegExp(
    `(?:(\\w+)\\s*:?=\\s*)?&?(?<!\\])\\b(?:\\w+\\.)?${struct}\\{|(\\w+)\\.(Status|Reason)\\s*=\\s*([\\w.]+|"[^"\\n]*")\\s*$`,
    "gm",
  );
  const held = new Map<string, Draft>();
  const given = new Map<string, string>();
  const drafts: Draft[] = [];
  for (const found of source.matchAll(sign)) {
    const [all, name = "", variable = "", field = "", value = ""] = found;
    if (variable === "") {
      const draft = { place: found.index, ...draftOf(bracketed(source, found.index + all.length - 1)) };
      if (draft.type === "") continue;
      drafts.push(draft);
      if (name !== "") held.set(name, draft);
    } else if (field === "Status") given.set(variable, value);
    else {
      const draft = held.get(variable);
      if (draft === undefined) continue;
      // What has no reason yet was only the beginning of what is written.
      if (draft.reason === "" && drafts.includes(draft)) drafts.splice(drafts.indexOf(draft), 1);
      drafts.push({ ...draft, place: found.index, status: given.get(variable) ?? draft.status, reason: value });
      given.delete(variable);
    }
  }
  return drafts;
}

function draftOf(fields: string): Omit<Draft, "place"> {
  const given = new Map(partsOf(fields).map((part) => [/^\w+/.exec(part)?.[0] ?? "", part.replace(/^\w+:\s*/, "")]));
  return { type: given.get("Type") ?? "", status: given.get("Status") ?? "", reason: given.get("Reason") ?? "" };
}

function draftsOfCalls(source: string, setter: Setter): Draft[] {
  return Array.from(source.matchAll(new RegExp(`(?<!func |\\) )\\b${setter.name}\\(`, "g")), (call) => {
    const parts = partsOf(bracketed(source, call.index + call[0].length - 1));
    const at = (place: number | string): string => (typeof place === "string" ? place : (parts[place] ?? ""));
    return { place: call.index, type: at(setter.type), status: at(setter.status), reason: at(setter.reason) };
  });
}
