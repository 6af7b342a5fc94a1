import { isFields } from "@binnacle/kube";
import { jsonpath, JSONPathEnvironment, JSONPathError, TokenKind, type JSONPathNode, type JSONPathQuery, type JSONValue } from "json-p3";

import { plainStepsOf, walkSteps, type PathMatch } from "./plain-path.ts";

/** Bounds on what a user may write, so that one reading costs no more than a few walks over the object. */
const MAX_TEXT = 512;
const MAX_SEGMENTS = 32;
/** More places than this in one object are not looked at. */
const MAX_MATCHES = 1000;

/** Reads places of an object. What it cannot read it leaves out; it never throws. */
export type PathReader = (object: unknown) => readonly PathMatch[];

/** JSONPath as in RFC 9535, but without regular expressions, which can take for ever. */
const ENVIRONMENT = new JSONPathEnvironment();
for (const name of ["match", "search"]) ENVIRONMENT.functionRegister.delete(name);

/**
 * Makes a reader of a JSONPath (RFC 9535).
 *
 * @returns the reader, or what is wrong with the path and how to fix it
 */
export function compilePath(path: string): { readonly read: PathReader } | { readonly problem: string } {
  if (path.length > MAX_TEXT) return { problem: `is longer than ${MAX_TEXT} characters; write a shorter path` };
  if (!path.startsWith("$")) return { problem: `must begin with "$": write "$.spec.name" for the field spec.name` };
  let query: JSONPathQuery;
  try {
    query = ENVIRONMENT.compile(path);
  } catch (error) {
    return { problem: `is not JSONPath (RFC 9535): ${error instanceof JSONPathError ? error.message : "cannot be read"}` };
  }
  const problem = costOf(query);
  if (problem !== undefined) return { problem };
  const steps = plainStepsOf(query);
  if (steps === undefined) return { read: (object) => read(query, object) };
  const names = steps.filter((step) => typeof step === "string");
  if (names.length < steps.length) return { read: (object) => (isFields(object) ? walkSteps(steps, object, MAX_MATCHES) : NO_PLACE) };
  const fieldPath = names.join(".");
  return { read: (object) => placeOf(names, fieldPath, object) };
}

const NO_PLACE: readonly never[] = Object.freeze([]);

/** The one place that a path of names leads to. Its text is made once. */
function placeOf(names: readonly string[], fieldPath: string, object: unknown): readonly PathMatch[] {
  let value = object;
  for (const name of names) {
    if (!isFields(value) || !Object.hasOwn(value, name)) return NO_PLACE;
    value = value[name];
  }
  return value === undefined || !isFields(object) ? NO_PLACE : [{ value, fieldPath }];
}

function read(query: JSONPathQuery, object: unknown): PathMatch[] {
  if (!isFields(object)) return [];
  const matches: PathMatch[] = [];
  try {
    // Objects come from JSON; whatever else stands in them no path selects.
    for (const node of query.lazyQuery(object as JSONValue)) {
      matches.push({ value: node.value, fieldPath: pathOf(node) });
      if (matches.length >= MAX_MATCHES) break;
    }
  } catch {
    // Nested too deep: what was found so far has been found.
  }
  return matches;
}

function pathOf({ location }: JSONPathNode): string {
  let path = "";
  for (const part of location) path += typeof part === "number" ? `[${part}]` : path === "" ? part : `.${part}`;
  return path;
}

/** What makes a path too dear: each of these alone is a walk over the object, but together they multiply. */
function costOf(query: JSONPathQuery): string | undefined {
  let descents = 0;
  // The list grows while it is walked.
  const queries = [query];
  for (const { segments } of queries) {
    if (segments.length > MAX_SEGMENTS) return `has more than ${MAX_SEGMENTS} steps; write a shorter path`;
    for (const { token, selectors } of segments) {
      if (token.kind === TokenKind.DDOT) descents += 1;
      if (descents > 1) return `has ".." more than once; name the fields in between`;
      const [selector, ...others] = selectors;
      if (others.length > 0) return "selects several things in one pair of brackets; write a rule for each";
      if (!(selector instanceof jsonpath.selectors.FilterSelector)) continue;
      const inner = queriesOf(selector.expression);
      if (inner === undefined) return `looks at "$" inside a filter; only "@" may be used there`;
      queries.push(...inner);
    }
  }
  return undefined;
}

/** Queries inside a filter; `undefined` when one of them begins at the whole object. */
function queriesOf(filter: unknown): JSONPathQuery[] | undefined {
  const { FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression, RelativeQuery, RootQuery } = jsonpath.expressions;
  const queries: JSONPathQuery[] = [];
  const expressions: unknown[] = [filter];
  for (const expression of expressions) {
    if (expression instanceof RootQuery) return undefined;
    if (expression instanceof RelativeQuery) queries.push(expression.path);
    else if (expression instanceof LogicalExpression) expressions.push(expression.expression);
    else if (expression instanceof PrefixExpression) expressions.push(expression.right);
    else if (expression instanceof InfixExpression) expressions.push(expression.left, expression.right);
    else if (expression instanceof FunctionExtension) expressions.push(...expression.args);
  }
  return queries;
}
