import { fieldsAt, isFields, listAt, textAt, type Fields } from "@binnacle/kube";

/** One demand on labels. `values` is empty for Exists and DoesNotExist. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values: readonly string[];
}

/** All requirements hold; without any, everything matches. Whether "empty" means all or none is for the caller to know. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
}

/**
 * Reads a LabelSelector (`matchLabels`, `matchExpressions`).
 *
 * @returns `undefined` when it is not an object or has an operator that is not known: such a selector selects nothing
 */
export function parseLabelSelector(value: unknown): LabelSelector | undefined {
  if (!isFields(value)) return undefined;
  const requirements = [...equalities(fieldsAt(value, "matchLabels"))];
  for (const expression of listAt(value, "matchExpressions")) {
    const operator = textAt(expression, "operator");
    if (operator !== "In" && operator !== "NotIn" && operator !== "Exists" && operator !== "DoesNotExist") return undefined;
    const values = listAt(expression, "values").filter((entry) => typeof entry === "string");
    requirements.push({ key: textAt(expression, "key"), operator, values: operator === "In" || operator === "NotIn" ? values : [] });
  }
  return { requirements };
}

/** Reads a plain map of labels, as in `spec.selector` of a Service; `undefined` when absent or empty: it selects nothing. */
export function parseLabelMap(value: unknown): LabelSelector | undefined {
  const requirements = isFields(value) ? equalities(value) : [];
  return requirements.length === 0 ? undefined : { requirements };
}

/** Whether the labels satisfy the selector. NotIn and DoesNotExist also hold for labels that are not there. */
export function matchesSelector(selector: LabelSelector, labels: Fields): boolean {
  return selector.requirements.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === "Exists") return typeof value === "string";
    if (operator === "DoesNotExist") return typeof value !== "string";
    const listed = typeof value === "string" && values.includes(value);
    return operator === "In" ? listed : !listed;
  });
}

function equalities(map: Fields): LabelRequirement[] {
  return Object.entries(map).flatMap(([key, value]) => (typeof value === "string" ? [{ key, operator: "In", values: [value] }] : []));
}
