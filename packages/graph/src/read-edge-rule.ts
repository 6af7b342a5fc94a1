import { isFields, type Fields } from "@binnacle/kube";

import { NAMED_AS, type CustomEdgeProblem, type CustomEdgeRule } from "./custom-edge-rule.ts";
import { EDGE_CLASSES } from "./graph-model.ts";
import { compilePath } from "./json-path.ts";

const ID = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What a rule may have, by the field that decides its form. */
const FORMS = {
  path: ["id", "from", "class", "path", "name", "as", "to", "optional", "port", "weight", "flowReversed"],
  selector: ["id", "from", "class", "selector", "emptySelector", "namespaceSelector", "to", "flowReversed"],
  podTemplate: ["id", "from", "podTemplate"],
} as const;

type Form = keyof typeof FORMS;

/** Kinds without a namespace that one rule may list. */
const MAX_CLUSTER_KINDS = 20;

type Note = (field: string, message: string) => void;

/** Reads one rule; `undefined` when anything about it is wrong. Never throws. */
export function readRule(value: unknown, index: number): { rule: CustomEdgeRule | undefined; problems: CustomEdgeProblem[] } {
  const problems: CustomEdgeProblem[] = [];
  const fields: Fields = isFields(value) ? value : {};
  const named = typeof fields["id"] === "string" && fields["id"] !== "" ? fields["id"] : `[${index}]`;
  const note: Note = (field, message) => void problems.push({ rule: named, field, message });
  if (!isFields(value)) note("", "must be an object with id, from, class, path, to");

  const form = formOf(fields, note);
  for (const key of Object.keys(fields)) {
    if (!isOneOf(FORMS[form], key) && !(key in FORMS))
      note(key, `is not known of a rule with ${form}; known are ${FORMS[form].join(", ")}`);
  }
  const { id } = fields;
  if (typeof id !== "string" || !ID.test(id)) note("id", "must be lower-case letters, digits and dashes, at most 63");
  checkKind(fields["from"], "from", note);
  CHECKS[form](fields, note);
  // Every field of its form has been looked at, and it has no others.
  return { rule: problems.length > 0 ? undefined : (fields as unknown as CustomEdgeRule), problems };
}

/** The form of a rule by the one field that only that form has. */
function formOf(fields: Fields, note: Note): Form {
  const forms = (["path", "selector", "podTemplate"] as const).filter((form) => fields[form] !== undefined);
  const [form = "path", other] = forms;
  if (other !== undefined) note(other, `cannot stand beside ${form}; write a rule for each`);
  return form;
}

const CHECKS: Readonly<Record<Form, (fields: Fields, note: Note) => void>> = {
  path: (fields, note) => {
    checkLine(fields, note);
    checkPath(fields["path"], "path", note);
    for (const field of ["name", "port", "weight"]) if (fields[field] !== undefined) checkRelative(fields[field], field, note);
    if (fields["as"] !== undefined && !isOneOf(NAMED_AS, fields["as"])) note("as", `must be one of ${NAMED_AS.join(", ")}`);
    checkFlag(fields, "optional", note);
    checkTarget(fields["to"], note);
  },
  selector: (fields, note) => {
    checkLine(fields, note);
    checkPath(fields["selector"], "selector", note);
    if (fields["namespaceSelector"] !== undefined) checkPath(fields["namespaceSelector"], "namespaceSelector", note);
    if (!isOneOf(["all", "none", undefined], fields["emptySelector"])) note("emptySelector", `must be "all" or "none"`);
    checkKind(fields["to"], "to", note);
    const to = isFields(fields["to"]) ? fields["to"] : {};
    if (!isOneOf(["same", "all", undefined], to["namespace"])) note("to.namespace", `must be "same" or "all", or use namespaceSelector`);
    checkKnown(to, ["group", "kind", "namespace"], note);
  },
  podTemplate: (fields, note) => checkPath(fields["podTemplate"], "podTemplate", note),
};

/** What is drawn. */
function checkLine(fields: Fields, note: Note): void {
  if (!isOneOf(EDGE_CLASSES, fields["class"])) note("class", `must be one of ${EDGE_CLASSES.join(", ")}`);
  checkFlag(fields, "flowReversed", note);
}

/** The kind is written down, or stands where a path finds it; what is written down is then what holds where nothing is found. */
function checkTarget(value: unknown, note: Note): void {
  const to = isFields(value) ? value : {};
  const { group, kind, kindPath, groupPath, clusterKinds, namespace } = to;
  if (kindPath !== undefined) checkRelative(kindPath, "to.kindPath", note);
  if (groupPath !== undefined) checkRelative(groupPath, "to.groupPath", note);
  if (groupPath === undefined || group !== undefined) checkGroup(group, "to", note);
  if (kindPath === undefined || kind !== undefined) checkKindName(kind, "to", note);
  if (namespace !== undefined && namespace !== "same" && namespace !== "cluster")
    checkRelative(namespace, "to.namespace", (field, message) => note(field, `${message}; or write "same" or "cluster"`));
  const isList = Array.isArray(clusterKinds) && clusterKinds.length <= MAX_CLUSTER_KINDS && clusterKinds.every(isKindName);
  if (clusterKinds !== undefined && !isList) note("to.clusterKinds", `must be a list of kinds, at most ${MAX_CLUSTER_KINDS}`);
  checkKnown(to, ["group", "kind", "namespace", "kindPath", "groupPath", "clusterKinds"], note);
}

function checkKnown(to: Fields, known: readonly string[], note: Note): void {
  for (const key of Object.keys(to)) if (!known.includes(key)) note(`to.${key}`, `is not known; known are ${known.join(", ")}`);
}

function checkFlag(fields: Fields, flag: string, note: Note): void {
  if (fields[flag] !== undefined && typeof fields[flag] !== "boolean") note(flag, "must be true or false");
}

function checkPath(path: unknown, field: string, note: Note): void {
  if (typeof path !== "string") {
    note(field, `must be JSONPath as text, for example "$.spec.name"`);
    return;
  }
  const compiled = compilePath(path);
  if ("problem" in compiled) note(field, compiled.problem);
}

/** A path into the holder, or with "@" into what was selected. */
function checkRelative(path: unknown, field: string, note: Note): void {
  checkPath(typeof path === "string" && path.startsWith("@") ? `$${path.slice(1)}` : path, field, note);
}

function checkKind(value: unknown, field: string, note: Note): void {
  const { group, kind } = isFields(value) ? value : { group: undefined, kind: undefined };
  checkGroup(group, field, note);
  checkKindName(kind, field, note);
}

function checkGroup(group: unknown, field: string, note: Note): void {
  if (typeof group !== "string" || group.includes("/")) note(`${field}.group`, `must be an API group without its version; "" for core`);
}

function checkKindName(kind: unknown, field: string, note: Note): void {
  if (!isKindName(kind)) note(`${field}.kind`, `must be a kind, for example "Deployment"`);
}

function isKindName(kind: unknown): boolean {
  return typeof kind === "string" && kind !== "" && !kind.includes("/");
}

function isOneOf(known: readonly unknown[], value: unknown): boolean {
  return known.includes(value);
}
