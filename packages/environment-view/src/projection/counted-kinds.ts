import { isCustomGroup } from "@binnacle/health";
import { inventoriesOf, type GraphNode } from "@binnacle/graph";

import { kindNameOf, type ScopeRules } from "../scope/scope-rules.ts";
import { kindOfTool } from "../scope/deployer.ts";
import type { ViewSource } from "../stream/view-model.ts";
import type { ManagerIndex } from "./manager-index.ts";

/** A kind by its group. */
interface KindRef {
  readonly group: string;
  readonly kind: string;
}

/** Sources whose kinds are not known in full, for the roll-up. */
export interface RollUpGaps {
  readonly hidden: readonly KindRef[];
  readonly unknown: readonly KindRef[];
  /** Names of the resources that may not be read, in order. */
  readonly names: string[];
}

/** Which kinds count in the roll-up of a scope: all but those that its own rules keep out, what is not shown among them. */
export class CountedKinds {
  readonly #uncounted: ReadonlySet<string>;

  constructor(rules: ScopeRules | undefined) {
    this.#uncounted = new Set([...(rules?.ignored ?? []), ...(rules?.hidden ?? [])]);
  }

  counts(of: KindRef): boolean {
    return this.#uncounted.size === 0 || !this.#uncounted.has(kindNameOf(of));
  }

  /**
   * Kinds of which the roll-up does not know everything; none of those that do not count.
   *
   * @param usedKinds kinds that something visible refers to, as {@link usedKindsOf} gives them: a custom kind that may not be read and is not
   * among them is left out, because a cluster serves many kinds that an environment does not use. Called at most once.
   */
  gapsOf(sources: readonly ViewSource[], usedKinds: () => ReadonlySet<string>): RollUpGaps {
    const counted = sources.filter((source) => this.counts(source));
    const forbidden = counted.filter((source) => source.settled === "forbidden");
    const used = forbidden.some(({ group }) => isCustomGroup(group)) ? usedKinds() : new Set<string>();
    const hidden = forbidden.filter(({ group, kind }) => !isCustomGroup(group) || used.has(`${group}/${kind}`));
    const unknown = counted.filter(isUnknown);
    const names = new Set(hidden.map(({ group, resource }) => (group === "" ? resource : `${resource}.${group}`)));
    return { hidden: kindsOf(hidden), unknown: kindsOf(unknown), names: [...names].toSorted() };
  }
}

/**
 * Kinds ("group/Kind") that an environment uses as far as its visible objects say: those of references and owners that cannot be read,
 * those in inventories, and those of the tools that manage something.
 */
export function usedKindsOf(nodes: Iterable<GraphNode>, managers: ManagerIndex): ReadonlySet<string> {
  const used = new Set(managers.deployers(() => true).map(({ tool }) => `${kindOfTool(tool).group}/${kindOfTool(tool).kind}`));
  for (const { presence, group, kind, object } of nodes) {
    if (presence !== "present") used.add(`${group}/${kind}`);
    if (object !== undefined) for (const { target } of inventoriesOf(object)) used.add(`${target.group}/${target.kind}`);
  }
  return used;
}

/** A kind that has not answered, that only ever failed, or of which there is too much is not known in full; but that is no missing right. */
function isUnknown({ settled }: ViewSource): boolean {
  return settled === undefined || settled === "error" || settled === "truncated";
}

/** Each kind once, however many namespaces it is read in. */
function kindsOf(sources: readonly ViewSource[]): readonly KindRef[] {
  return [...new Map(sources.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }])).values()];
}
