import { isFields, type Fields } from "@binnacle/kube";

import { EDGE_CLASSES, type EdgeClass } from "./graph-model.ts";
import { compilePath } from "./json-path.ts";

/** One kind of edge that a user has defined. It is drawn with the kind `custom:<id>`. */
export interface CustomEdgeRule {
  /** Lower-case letters, digits and dashes. */
  readonly id: string;
  /** Kind of the objects that hold the reference; the group is empty for core. */
  readonly from: { readonly group: string; readonly kind: string };
  readonly class: EdgeClass;
  /** JSONPath (RFC 9535) of names, or of objects with `name` and perhaps `namespace`. */
  readonly path: string;
  readonly to: {
    readonly group: string;
    readonly kind: string;
    /**
     * Where the target is when the reference itself does not say: in the namespace of the holder (the default), nowhere
     * ("cluster"), or as a JSONPath finds in the holder (where it finds nothing, in the namespace of the holder).
     */
    readonly namespace?: string;
  };
  /** Nothing is missing when the target is not there. */
  readonly optional?: boolean;
  /** Drawn from the target to the holder. */
  readonly flowReversed?: boolean;
}

/** What is wrong with a rule. */
export interface CustomEdgeProblem {
  /** Id of the rule, or `[<index>]` when it has none; empty when it is about all of them. */
  readonly rule: string;
  /** For example "to.kind". */
  readonly field: string;
  /** What is wrong and how to mend it. */
  readonly message: string;
}

const FIELDS = ["id", "from", "class", "path", "to", "optional", "flowReversed"];
const ID = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads one rule; `undefined` when anything about it is wrong. */
export function readRule(value: unknown, index: number): { rule: CustomEdgeRule | undefined; problems: CustomEdgeProblem[] } {
  const problems: CustomEdgeProblem[] = [];
  const fields: Fields = isFields(value) ? value : {};
  const named = typeof fields["id"] === "string" && fields["id"] !== "" ? fields["id"] : `[${index}]`;
  const note = (field: string, message: string): void => void problems.push({ rule: named, field, message });
  if (!isFields(value)) note("", `must be an object with ${FIELDS.slice(0, 5).join(", ")}`);
  for (const key of Object.keys(fields)) if (!FIELDS.includes(key)) note(key, `is not known; known are ${FIELDS.join(", ")}`);

  const { id, path, class: edgeClass } = fields;
  if (typeof id !== "string" || !ID.test(id)) note("id", "must be lower-case letters, digits and dashes, at most 63");
  const known = EDGE_CLASSES.find((each) => each === edgeClass);
  if (known === undefined) note("class", `must be one of ${EDGE_CLASSES.join(", ")}`);
  checkPath(path, (message) => note("path", message));
  const from = readKind(fields["from"], "from", note);
  const to = readKind(fields["to"], "to", note);
  const namespace = isFields(fields["to"]) ? fields["to"]["namespace"] : undefined;
  if (namespace !== undefined && namespace !== "same" && namespace !== "cluster") {
    checkPath(namespace, (message) => note("to.namespace", `${message}; or write "same" or "cluster"`));
  }
  for (const flag of ["optional", "flowReversed"]) {
    if (fields[flag] !== undefined && typeof fields[flag] !== "boolean") note(flag, "must be true or false");
  }

  if (problems.length > 0 || typeof id !== "string" || typeof path !== "string" || known === undefined)
    return { rule: undefined, problems };
  const where = typeof namespace === "string" ? { namespace } : {};
  const flags = {
    ...(fields["optional"] === true ? { optional: true } : {}),
    ...(fields["flowReversed"] === true ? { flowReversed: true } : {}),
  };
  return { rule: { id, from, class: known, path, to: { ...to, ...where }, ...flags }, problems };
}

function checkPath(path: unknown, note: (message: string) => void): void {
  if (typeof path !== "string") {
    note(`must be JSONPath as text, for example "$.spec.name"`);
    return;
  }
  const compiled = compilePath(path);
  if ("problem" in compiled) note(compiled.problem);
}

function readKind(value: unknown, field: string, note: (field: string, message: string) => void): { group: string; kind: string } {
  const { group, kind } = isFields(value) ? value : { group: undefined, kind: undefined };
  if (typeof group !== "string" || group.includes("/")) note(`${field}.group`, `must be an API group without its version; "" for core`);
  if (typeof kind !== "string" || kind === "" || kind.includes("/")) note(`${field}.kind`, `must be a kind, for example "Deployment"`);
  return { group: typeof group === "string" ? group : "", kind: typeof kind === "string" ? kind : "" };
}
