import type { EdgeClass } from "./graph-model.ts";

/** A kind whatever its version; the group is empty for core. */
interface RuleKind {
  readonly group: string;
  readonly kind: string;
}

/** What all rules say. */
interface RuleOrigin {
  /** Lower-case letters, digits and dashes. */
  readonly id: string;
  /** Kind of the objects that hold the reference; in packs both may be "*" for every custom kind. */
  readonly from: RuleKind;
  /** Of a rule of a pack: its name; such rules may share an id, and so a line. It is not read from what users write. */
  readonly pack?: string;
}

interface RuleLine extends RuleOrigin {
  readonly class: EdgeClass;
  /** Drawn from the target to the holder. */
  readonly flowReversed?: boolean;
}

/** How the text at a path names its target: the name alone, a DNS name inside the cluster or a URL with one, or `namespace/name`. */
export type NamedAs = (typeof NAMED_AS)[number];

/** All of them. */
export const NAMED_AS = ["name", "host", "namespace/name"] as const;

/** An edge to what a field names. Paths that begin with `@` are read in what `path` selects, those with `$` in the holder. */
export interface NamingRule extends RuleLine {
  /** JSONPath (RFC 9535) of names, or of objects with `name` and perhaps `namespace`. */
  readonly path: string;
  /** Where the name stands in what is selected; default: it is the name itself, or its field `name`. */
  readonly name?: string;
  readonly as?: NamedAs;
  readonly to: {
    /**
     * Of the target; where `groupPath` is given, when that finds nothing. In packs "same" is the group of the holder, and
     * "parent" that without its first label.
     */
    readonly group?: string;
    readonly kind?: string;
    /** Where the kind stands. */
    readonly kindPath?: string;
    /** Where the group stands, alone or with its version. */
    readonly groupPath?: string;
    /** Kinds that `kindPath` may find and that have no namespace. */
    readonly clusterKinds?: readonly string[];
    /**
     * Where the target is when the reference itself does not say: in the namespace of the holder (the default), nowhere
     * ("cluster"), or as a JSONPath finds (where it finds nothing, in the namespace of the holder).
     */
    readonly namespace?: string;
  };
  /** Of packs, for optional references: the line is drawn as if the target held the reference, which it does as well. */
  readonly inverse?: boolean;
  /** Nothing is missing when the target is not there. */
  readonly optional?: boolean;
  /** Where the port stands that the target, a Service, must have, by name or number. */
  readonly port?: string;
  /** Where the share of the traffic stands. */
  readonly weight?: string;
}

/** Edges to everything that a label selector matches. */
export interface SelectingRule extends RuleLine {
  /** JSONPath of a LabelSelector, or of a plain map of labels. */
  readonly selector: string;
  /** What an empty selector selects; default: nothing. */
  readonly emptySelector?: "all" | "none";
  /** JSONPath of what selects namespaces: `any` or `matchNames`, or a LabelSelector by `kubernetes.io/metadata.name`. */
  readonly namespaceSelector?: string;
  /** `namespace` is "same" (the default) or "all". */
  readonly to: RuleKind & { readonly namespace?: string };
}

/** The kind has a pod template (or a bare pod spec) here: what its pods need, and Services that would select them, follow. */
export interface TemplateRule extends RuleOrigin {
  readonly podTemplate: string;
}

/** One kind of edge that a user or a pack has defined. It is drawn with the kind `custom:<id>` or `<pack>:<id>`. */
export type CustomEdgeRule = NamingRule | SelectingRule | TemplateRule;

/** What is wrong with a rule. */
export interface CustomEdgeProblem {
  /** Id of the rule, or `[<index>]` when it has none; empty when it is about all of them. */
  readonly rule: string;
  /** For example "to.kind". */
  readonly field: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
}

/** All paths of a rule that begin at the holder, by field: what it reads of objects. */
export function holderPathsOf(rule: CustomEdgeRule): readonly { readonly field: string; readonly path: string }[] {
  const target = "to" in rule ? Object.entries(rule.to).map(([field, value]) => [`to.${field}`, value] as const) : [];
  return [...Object.entries(rule), ...target].flatMap(([field, path]) =>
    typeof path === "string" && path.startsWith("$") ? { field, path } : [],
  );
}

/** Edges of the kinds of one tool. Objects of kinds that a cluster does not serve never come, and cost nothing. */
export interface EdgePack {
  /** Lower-case letters, digits and dashes; its edges are drawn with the kind `<name>:<id of the rule>`. */
  readonly name: string;
  /** One sentence: which tool, and what the edges are. */
  readonly about: string;
  readonly rules: readonly CustomEdgeRule[];
}
