import type { CustomEdgeRule } from "./custom-edge-rule.ts";

/** Edges of the kinds of one tool. Objects of kinds that a cluster does not serve never come, and cost nothing. */
export interface EdgePack {
  /** Lower-case letters, digits and dashes; its edges are drawn with the kind `<name>:<id of the rule>`. */
  readonly name: string;
  /** One sentence: which tool, and what the edges are. */
  readonly about: string;
  readonly rules: readonly CustomEdgeRule[];
}
