import { isFields, listAt } from "@binnacle/kube";

import { parseLabelSelector } from "./label-selector.ts";

/** Kubernetes puts it on every namespace. */
const NAME_LABEL = "kubernetes.io/metadata.name";
const MAX_NAMESPACES = 50;

/** Namespaces that a selector selects; "all" of them, or by name. */
export type SelectedNamespaces = "all" | readonly string[];

/**
 * Reads what selects namespaces: `any: true`, `matchNames`, or a LabelSelector on the name. One on other labels
 * selects none: namespaces are not read, so their labels are unknown.
 *
 * @param own namespace of the holder, which an empty selector selects
 */
export function selectedNamespaces(value: unknown, own: string): SelectedNamespaces {
  if (!isFields(value)) return [own];
  if (value["any"] === true) return "all";
  const names = listAt(value, "matchNames").filter((name) => typeof name === "string" && name !== "");
  if (names.length > 0) return bounded(names);
  const selector = parseLabelSelector(value);
  if (selector === undefined) return [];
  if (selector.requirements.length === 0) return [own];
  const lists = selector.requirements.map(({ key, operator, values }) => (key === NAME_LABEL && operator === "In" ? values : undefined));
  const [first] = lists;
  return lists.length === 1 && first !== undefined ? bounded(first) : [];
}

/** Each once. */
function bounded(names: readonly unknown[]): readonly string[] {
  const texts = names.flatMap((name) => (typeof name === "string" ? [name] : []));
  return [...new Set(texts)].slice(0, MAX_NAMESPACES);
}
