import { groupOf, isFields, numberAt, textAt, type KubeObject, listAt } from "@binnacle/kube";

import { namespaceFor } from "./cluster-kinds.ts";
import type { CustomEdgeRule, NamingRule, SelectingRule, TemplateRule } from "./custom-edge-rule.ts";
import type { EdgeRow } from "./edge-catalogue.ts";
import { FieldPath } from "./field-path.ts";
import { compilePath, type PathReader } from "./json-path.ts";
import { parseLabelMap, parseLabelSelector, type LabelSelector } from "./label-selector.ts";
import { namedTarget } from "./name-target.ts";
import { NO_DETAILS, type Reference, type ReferenceDetails, type SelectorTarget } from "./reference.ts";
import { podSpecNeeds } from "./references/template-needs.ts";

/** A rule, ready to read objects of its kind. */
export interface CompiledRule {
  readonly referencesOf: (object: KubeObject) => Reference[];
  /** Labels of the pods that it makes; absent for rules without a pod template. */
  readonly templateLabelsOf?: (object: KubeObject) => unknown;
}

/** One object may have several templates, as a set of roles; more than this are not looked at. */
const MAX_TEMPLATES = 16;

/** A version alone is the core group, as in `apiVersion: v1`. */
const VERSION = /^v[0-9]+((alpha|beta)[0-9]+)?$/;

/** Kubernetes puts it on every namespace. */
const NAME_LABEL = "kubernetes.io/metadata.name";
const MAX_NAMESPACES = 50;

/** Namespaces that a selector selects; "all" of them, or by name. */
type SelectedNamespaces = "all" | readonly string[];

/** Makes a rule ready; `undefined` when one of its paths is none. */
export function compileRule(rule: CustomEdgeRule): CompiledRule | undefined {
  if ("podTemplate" in rule) return compileTemplate(rule);
  return "selector" in rule ? compileSelecting(rule) : compileNaming(rule);
}

function rowOf({ id, pack = "custom", class: edgeClass, flowReversed = false }: NamingRule | SelectingRule): EdgeRow {
  return { kind: `${pack}:${id}`, class: edgeClass, flowReversed };
}

/** Reads a path in the holder ("$") or in what was selected ("@"). */
type RelativeReader = (object: KubeObject, selected: unknown) => unknown;

interface Readers {
  readonly path: PathReader;
  readonly name: RelativeReader | undefined;
  readonly kind: RelativeReader | undefined;
  readonly group: RelativeReader | undefined;
  readonly namespace: RelativeReader | undefined;
  readonly port: RelativeReader | undefined;
  readonly weight: RelativeReader | undefined;
}

function compileNaming(rule: NamingRule): CompiledRule | undefined {
  const path = readerOf(rule.path);
  const { namespace = "same", kindPath, groupPath } = rule.to;
  const isWord = namespace === "same" || namespace === "cluster";
  const texts = { name: rule.name, kind: kindPath, group: groupPath, namespace: isWord ? undefined : namespace };
  const optional = { ...texts, port: rule.port, weight: rule.weight };
  if (path === undefined || Object.values(optional).some((text) => text !== undefined && relativeOf(text) === undefined)) return undefined;
  const readers: Readers = {
    path,
    name: relativeOf(optional.name),
    kind: relativeOf(optional.kind),
    group: relativeOf(optional.group),
    namespace: relativeOf(optional.namespace),
    port: relativeOf(optional.port),
    weight: relativeOf(optional.weight),
  };
  const row = rowOf(rule);
  return {
    referencesOf: (object) =>
      path(object).flatMap(({ value, fieldPath }) => referenceTo(value, fieldPath, { object, rule, row, readers }) ?? []),
  };
}

interface Naming {
  readonly object: KubeObject;
  readonly rule: NamingRule;
  readonly row: EdgeRow;
  readonly readers: Readers;
}

/** Each selected name, or object with a name, is a reference. */
function referenceTo(value: unknown, fieldPath: string, naming: Naming): Reference | undefined {
  const { object, rule, row, readers } = naming;
  const text = readers.name === undefined ? (isFields(value) ? value["name"] : value) : readers.name(object, value);
  const named = typeof text === "string" ? namedTarget(text, rule.as ?? "name") : undefined;
  const kind = textIn(readers.kind?.(object, value)) || (rule.to.kind ?? "");
  if (named === undefined || kind === "" || kind.includes("/")) return undefined;
  const group = groupIn(textIn(readers.group?.(object, value)), usualGroup(rule, object));
  const explicitNamespace = named.namespace || textAt(value, "namespace") || textIn(readers.namespace?.(object, value));
  const usual = rule.to.namespace === "cluster" ? "" : (object.metadata.namespace ?? "");
  const isClusterKind = rule.to.clusterKinds?.includes(kind) === true;
  const namespace = isClusterKind ? "" : namespaceFor(group, kind, explicitNamespace || usual);
  const optional = rule.optional === true;
  const target = { by: "key", group, kind, namespace, name: named.name, hasGhost: !optional, version: "" } as const;
  return { row, fieldPath, optional, target, details: detailsOf(value, naming) };
}

const INVERSE: ReferenceDetails = Object.freeze({ inverse: true });

function detailsOf(value: unknown, { object, readers: { port, weight }, rule: { inverse = false } }: Naming): ReferenceDetails {
  if (port === undefined && weight === undefined) return inverse ? INVERSE : NO_DETAILS;
  const [found, share] = [port?.(object, value), numberAt({ share: weight?.(object, value) }, "share")];
  return {
    ...(typeof found === "number" || (typeof found === "string" && found !== "") ? { port: found } : {}),
    ...(share === undefined ? {} : { weight: share }),
  };
}

/** The group where the reference does not say it. */
function usualGroup({ to, pack }: NamingRule, object: KubeObject): string {
  const { group = "" } = to;
  if (pack === undefined || (group !== "same" && group !== "parent")) return group;
  const own = groupOf(object.apiVersion);
  return group === "same" ? own : own.slice(own.indexOf(".") + 1);
}

/** The group of "group", "group/version" or "version". */
function groupIn(text: string, otherwise: string): string {
  if (text === "") return otherwise;
  return text.includes("/") ? groupOf(text) : VERSION.test(text) ? "" : text;
}

function compileSelecting(rule: SelectingRule): CompiledRule | undefined {
  const path = readerOf(rule.selector);
  const namespaces = readerOf(rule.namespaceSelector ?? "$.metadata.namespace");
  if (path === undefined || namespaces === undefined) return undefined;
  const row = rowOf(rule);
  const kind = `${rule.to.group}/${rule.to.kind}`;
  const namespacesOf = (object: KubeObject): "all" | readonly string[] =>
    rule.to.namespace === "all" ? "all" : selectedNamespaces(namespaces(object)[0]?.value, object.metadata.namespace ?? "");
  return {
    referencesOf: (object) =>
      path(object).flatMap(({ value, fieldPath }) => {
        const selector = selectorIn(value, rule.emptySelector === "all");
        if (selector === undefined) return [];
        return targetsOf(kind, namespacesOf(object), selector).map((target) => {
          return { row, fieldPath, optional: false, target, details: NO_DETAILS };
        });
      }),
  };
}

function targetsOf(kind: string, namespaces: "all" | readonly string[], selector: LabelSelector): SelectorTarget[] {
  if (namespaces === "all") return [{ by: "selector", among: `any:${kind}`, namespace: "", selector }];
  const among = kind === "/Pod" ? "pods" : (`in:${kind}` as const);
  return namespaces.map((namespace) => ({ by: "selector", among, namespace, selector }));
}

/** A LabelSelector, or a plain map of labels. */
function selectorIn(value: unknown, emptySelectsAll: boolean): LabelSelector | undefined {
  if (!isFields(value)) return undefined;
  const isSelector = isFields(value["matchLabels"]) || Array.isArray(value["matchExpressions"]);
  const selector = isSelector || Object.keys(value).length === 0 ? parseLabelSelector(value) : parseLabelMap(value);
  return selector !== undefined && (selector.requirements.length > 0 || emptySelectsAll) ? selector : undefined;
}

function compileTemplate({ podTemplate }: TemplateRule): CompiledRule | undefined {
  const path = readerOf(podTemplate);
  if (path === undefined) return undefined;
  return {
    referencesOf: (object) =>
      path(object)
        .slice(0, MAX_TEMPLATES)
        .flatMap(({ value, fieldPath }) => {
          if (!isFields(value)) return [];
          const at = FieldPath.from(fieldPath);
          return isFields(value["spec"]) ? podSpecNeeds(object, value["spec"], at.field("spec")) : podSpecNeeds(object, value, at);
        }),
    templateLabelsOf: (object) => {
      const template = path(object)[0]?.value;
      const metadata = isFields(template) ? template["metadata"] : undefined;
      return isFields(metadata) ? metadata["labels"] : undefined;
    },
  };
}

function readerOf(text: string): PathReader | undefined {
  const compiled = compilePath(text);
  return "problem" in compiled ? undefined : compiled.read;
}

function relativeOf(text: string | undefined): RelativeReader | undefined {
  if (text === undefined) return undefined;
  const inSelected = text.startsWith("@");
  const read = readerOf(inSelected ? `$${text.slice(1)}` : text);
  if (read === undefined) return undefined;
  return (object, selected) => read(inSelected ? selected : object)[0]?.value;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * Reads what selects namespaces: `any: true`, `matchNames`, or a LabelSelector on the name. One on other labels
 * selects none: namespaces are not read, so their labels are unknown.
 *
 * @param own namespace of the holder, which an empty selector selects
 */
function selectedNamespaces(value: unknown, own: string): SelectedNamespaces {
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
