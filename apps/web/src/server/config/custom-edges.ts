import { holderPathsOf, type CustomEdgeRule } from "@binnacle/graph";

/** A field of a rule that never finds anything, and why. */
export interface UnreadField {
  readonly field: string;
  readonly message: string;
}

/** Why an edge of a user would never be drawn, as far as it is about Secrets: their first field that reads more; `undefined`: it may be. */
export function secretRuleProblem(rule: CustomEdgeRule): UnreadField | undefined {
  if (rule.from.group !== "" || rule.from.kind !== "Secret") return undefined;
  const unread = holderPathsOf(rule).find(({ path }) => !/^\$(\.metadata|\['metadata'])/.test(path));
  return unread && { field: unread.field, message: "of Secrets only the metadata is read; begin with $.metadata" };
}
