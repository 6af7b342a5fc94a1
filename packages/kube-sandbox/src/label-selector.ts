import { badRequest } from "./api-error.ts";
import { listIn, textIn, textMapIn } from "./json-tree.ts";

/** Decides by an object's labels. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

type Labels = Readonly<Record<string, string>>;

/**
 * Parses the text form of `labelSelector`: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`.
 *
 * @throws ApiError 400 when it cannot be read
 */
export function parseLabelSelector(text: string): LabelMatcher {
  const parts = splitOutsideBraces(text).map((part) => part.trim());
  const tests = parts.filter((part) => part !== "").map(parseRequirement);
  return (labels = {}) => tests.every((test) => test(labels));
}

function splitOutsideBraces(text: string): string[] {
  return text.split(/,(?![^(]*\))/);
}

function parseRequirement(part: string): (labels: Labels) => boolean {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(part);
  if (set) {
    const [, key = "", operator, list = ""] = set;
    const values = new Set(list.split(",").map((value) => value.trim()));
    return operator === "in" ? (labels) => has(labels, key) && values.has(labels[key] ?? "") : (labels) => !values.has(labels[key] ?? "\0");
  }
  const compared = /^([^\s=!<>]+)\s*(==|=|!=|>|<)\s*([^\s=!<>]*)$/.exec(part);
  if (compared) {
    const [, key = "", operator, value = ""] = compared;
    if (operator === "!=") return (labels) => labels[key] !== value;
    if (operator === ">") return (labels) => has(labels, key) && Number(labels[key]) > Number(value);
    if (operator === "<") return (labels) => has(labels, key) && Number(labels[key]) < Number(value);
    return (labels) => labels[key] === value;
  }
  const absent = /^!\s*([^\s=!<>()]+)$/.exec(part);
  if (absent) return (labels) => !has(labels, absent[1] ?? "");
  if (/^[^\s=!<>()]+$/.test(part)) return (labels) => has(labels, part);
  throw badRequest(`unable to parse requirement: found '${part}', expected: a label selector`);
}

function has(labels: Labels, key: string): boolean {
  return Object.hasOwn(labels, key);
}

/** Matcher of a `LabelSelector` object (matchLabels, matchExpressions). An empty selector matches everything. */
export function matcherOf(selector: unknown): LabelMatcher {
  const wanted = Object.entries(textMapIn(selector, "matchLabels"));
  const expressions = listIn(selector, "matchExpressions");
  return (labels = {}) =>
    wanted.every(([key, value]) => labels[key] === value) && expressions.every((expression) => meets(labels, expression));
}

function meets(labels: Labels, expression: unknown): boolean {
  const key = textIn(expression, "key") ?? "";
  const values = listIn(expression, "values");
  switch (textIn(expression, "operator")) {
    case "In":
      return has(labels, key) && values.includes(labels[key]);
    case "NotIn":
      return !has(labels, key) || !values.includes(labels[key]);
    case "Exists":
      return has(labels, key);
    case "DoesNotExist":
      return !has(labels, key);
    default:
      return false;
  }
}

/** Matcher of a plain map (Service, ReplicationController). An empty map matches nothing. */
export function mapMatcher(wanted: Readonly<Record<string, string>>): LabelMatcher {
  const entries = Object.entries(wanted);
  return (labels = {}) => entries.length > 0 && entries.every(([key, value]) => labels[key] === value);
}

/** Text form of a `LabelSelector` object, as `/scale` shows it. */
export function selectorText(selector: unknown): string {
  const equal = Object.entries(textMapIn(selector, "matchLabels")).map(([key, value]) => `${key}=${value}`);
  const others = listIn(selector, "matchExpressions").map((one) => {
    const key = textIn(one, "key") ?? "";
    const values = listIn(one, "values").join(",");
    switch (textIn(one, "operator")) {
      case "In":
        return `${key} in (${values})`;
      case "NotIn":
        return `${key} notin (${values})`;
      case "DoesNotExist":
        return `!${key}`;
      default:
        return key;
    }
  });
  return [...equal, ...others].sort().join(",");
}
