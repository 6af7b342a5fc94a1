import { isFields } from "@binnacle/kube";
import { jsonpath, TokenKind, type JSONPathQuery } from "json-p3";

/** A comparison of what stands below an entry with a text, a number, a boolean or null: `[?@.kind != 'Group']`. */
interface Filter {
  readonly names: readonly string[];
  readonly isEqual: boolean;
  readonly literal: unknown;
}

/** One step down: by a name, an index (from the end when below 0), to all entries, or to those that a filter lets through. */
export type PlainStep = string | number | typeof ALL | Filter;

const ALL = Symbol("*");

/** A place that a path selects. */
export interface PathMatch {
  readonly value: unknown;
  /** For example "spec.backends[0].name". */
  readonly fieldPath: string;
}

/**
 * The steps of a path that an engine is not needed for, as nearly all are: walking those costs a tenth. `undefined` for "..", for slices,
 * and for filters that do more than compare.
 */
export function plainStepsOf({ segments }: JSONPathQuery): readonly PlainStep[] | undefined {
  const steps: PlainStep[] = [];
  for (const { token, selectors } of segments) {
    const step = token.kind === TokenKind.DDOT || selectors.length !== 1 ? undefined : stepOf(selectors[0]);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

function stepOf(selector: unknown): PlainStep | undefined {
  const { FilterSelector, IndexSelector, NameSelector, WildcardSelector } = jsonpath.selectors;
  if (selector instanceof NameSelector) return selector.name;
  if (selector instanceof IndexSelector) return selector.index;
  if (selector instanceof WildcardSelector) return ALL;
  return selector instanceof FilterSelector ? filterOf(selector.expression.expression) : undefined;
}

function filterOf(expression: unknown): Filter | undefined {
  const { BooleanLiteral, InfixExpression, NullLiteral, NumberLiteral, RelativeQuery, StringLiteral } = jsonpath.expressions;
  if (!(expression instanceof InfixExpression) || !(expression.left instanceof RelativeQuery)) return undefined;
  const { operator, left, right } = expression;
  const isLiteral = right instanceof StringLiteral || right instanceof NumberLiteral || right instanceof BooleanLiteral;
  if ((operator !== "==" && operator !== "!=") || !(isLiteral || right instanceof NullLiteral)) return undefined;
  const names = plainStepsOf(left.path)?.map((step) => (typeof step === "string" ? step : undefined));
  if (names?.every((name) => name !== undefined) !== true) return undefined;
  return { names, isEqual: operator === "==", literal: isLiteral ? right.value : null };
}

/** The places that the steps lead to, at most `most`, in the order of the engine. */
export function walkSteps(steps: readonly PlainStep[], object: unknown, limit: number): PathMatch[] {
  const matches: PathMatch[] = [];
  const visit = (value: unknown, depth: number, path: string): void => {
    if (matches.length >= limit || value === undefined) return;
    const step = steps[depth];
    if (step === undefined) matches.push({ value, fieldPath: path });
    else if (Array.isArray(value)) {
      const [from, to] = rangeOf(step, value.length);
      for (let index = from; index < to; index += 1)
        if (isLetThrough(step, value[index])) visit(value[index], depth + 1, `${path}[${index}]`);
    } else if (isFields(value) && typeof step !== "number") {
      for (const name of typeof step === "string" ? [step] : Object.keys(value))
        if (Object.hasOwn(value, name) && isLetThrough(step, value[name]))
          visit(value[name], depth + 1, path === "" ? name : `${path}.${name}`);
    }
  };
  visit(object, 0, "");
  return matches;
}

/** Items of a list that a step looks at: none by a name, one by an index, else all. */
function rangeOf(step: PlainStep, length: number): readonly [from: number, to: number] {
  if (typeof step === "string") return [0, 0];
  if (typeof step !== "number") return [0, length];
  const index = step < 0 ? length + step : step;
  return index < 0 || index >= length ? [0, 0] : [index, index + 1];
}

/** What is not there is equal to nothing; lists and maps are equal to no literal. */
function isLetThrough(step: PlainStep, entry: unknown): boolean {
  if (typeof step !== "object") return true;
  let value = entry;
  for (const name of step.names) value = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return (value === step.literal) === step.isEqual;
}
