import { fieldsAt, fieldsOf, listAt, textAt, type Fields } from "@binnacle/kube";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, type Document } from "yaml";

import { argoRules, customizationRules } from "./argo-customizations.ts";
import { fluxRules } from "./flux-health-checks.ts";
import { firstLineOf, ruleSetOf } from "./rule-set.ts";
import type { RuleSet } from "./user-rule.ts";

const MAX_TEXT_LENGTH = 4 * 1024 * 1024;
const KEYS = ["healthCheckExprs", "resourceCustomizations"];

type Part = Pick<RuleSet, "rules" | "problems">;

/**
 * Reads a file of rules. Each YAML document is the manifest of an `argocd-cm`, the manifest of a Kustomization of Flux, or has
 * `healthCheckExprs` (a list in Flux's shape) and `resourceCustomizations` (a map in the shape of Argo CD's `resource.customizations`).
 * Of one name, the later entry wins. Never throws.
 *
 * @param path names the file in sources and problems, which give lines too
 */
export function parseRulesFile(text: string, path: string): RuleSet {
  const file = `file ${path}`;
  if (text.length > MAX_TEXT_LENGTH) return ruleSetOf("file", [], [`${file}: it is longer than 4 MiB`]);
  const lines = new LineCounter();
  const parts = [...parseAllDocuments(text, { lineCounter: lines })].map((document) => partOf(document, lines, file));
  // The later document first: of rules with one name the index takes the first.
  const rules = parts.toReversed().flatMap((part) => part.rules);
  return ruleSetOf(
    "file",
    rules,
    parts.flatMap((part) => part.problems),
  );
}

/**
 * Rules in content that was read already: `healthCheckExprs` and `resourceCustomizations` as in a file of rules. Never throws.
 *
 * @param at where a key stands, for people: begins sources and problems
 */
export function parseRules(content: Fields, at: (path: readonly unknown[]) => string): RuleSet {
  const { rules, problems } = partOfKeys(content, at);
  return ruleSetOf("file", rules, problems);
}

function partOf(document: Document, lines: LineCounter, file: string): Part {
  const keys = new Map<unknown, ReadonlyMap<unknown, number>>();
  const at = (path: readonly unknown[]): string => {
    const parent: unknown = path.length < 2 ? document.contents : document.getIn(path.slice(0, -1), true);
    const offsets = keys.get(parent) ?? offsetsOf(parent);
    keys.set(parent, offsets);
    const offset = offsets.get(path.at(-1)) ?? document.contents?.range?.[0];
    return offset === undefined ? file : `${file}, line ${lines.linePos(offset).line}`;
  };
  const error = document.errors[0];
  if (error !== undefined) {
    return { rules: [], problems: [`${file}, line ${lines.linePos(error.pos[0]).line}: this is not YAML: ${firstLineOf(error)}`] };
  }
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    return { rules: [], problems: [`${at([])}: this is not YAML: ${firstLineOf(error)}`] };
  }
  if (content === null || content === undefined) return { rules: [], problems: [] };
  return partOfContent(fieldsOf(content), at);
}

/** Where the keys of a map, or the entries of a list, begin. */
function offsetsOf(parent: unknown): ReadonlyMap<unknown, number> {
  const offsets = new Map<unknown, number>();
  if (isSeq(parent)) for (const [place, item] of parent.items.entries()) offsets.set(place, isNode(item) ? (item.range?.[0] ?? 0) : 0);
  if (isMap(parent)) for (const { key } of parent.items) if (isScalar(key)) offsets.set(key.value, key.range?.[0] ?? 0);
  return offsets;
}

function partOfContent(content: Fields, at: (path: readonly unknown[]) => string): Part {
  const kind = textAt(content, "kind");
  if (kind === "ConfigMap") return argoRules(fieldsAt(content, "data"), (key) => `${at(["data", key])}, ${key}`);
  if (kind === "Kustomization") return exprsAt(fieldsAt(content, "spec"), ["spec"], at);
  return partOfKeys(content, at);
}

function partOfKeys(content: Fields, at: (path: readonly unknown[]) => string): Part {
  const expressions = exprsAt(content, [], at);
  const scripts = customizationRules(content["resourceCustomizations"], (name) => `${at(["resourceCustomizations", name])}, ${name}`);
  const unknown = Object.keys(content).filter((key) => !KEYS.includes(key));
  const problems = [
    ...(Object.keys(content).length === 0 ? [`${at([])}: expected a ConfigMap, a Kustomization, ${KEYS.join(" or ")}`] : []),
    ...unknown.map((key) => `${at([key])}: ${key} is none of ${KEYS.join(", ")}`),
    ...expressions.problems,
  ];
  return { rules: [...expressions.rules, ...scripts], problems };
}

function exprsAt(parent: Fields, path: readonly unknown[], at: (path: readonly unknown[]) => string): Part {
  const where = [...path, "healthCheckExprs"];
  const value = parent["healthCheckExprs"];
  if (value !== undefined && value !== null && !Array.isArray(value)) {
    return { rules: [], problems: [`${at(where)}: healthCheckExprs is not a list`] };
  }
  return fluxRules(listAt(parent, "healthCheckExprs"), (place) => ({ source: at([...where, place]) }));
}
