import { kindNameOf, type ScopeRules } from "../scope-rules.ts";
import type { ViewSource } from "../view-model.ts";

/** A kind by its group. */
interface KindRef {
  readonly group: string;
  readonly kind: string;
}

/** Sources of kinds of which nobody knows all there is, for the roll-up. */
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

  /** What the roll-up has to say of kinds that it does not know: nothing of those that do not count. */
  gapsOf(sources: readonly ViewSource[]): RollUpGaps {
    const counted = sources.filter((source) => this.counts(source));
    const hidden = counted.filter((source) => source.settled === "forbidden");
    const unknown = counted.filter(isUnknown);
    const names = new Set(hidden.map(({ group, resource }) => (group === "" ? resource : `${resource}.${group}`)));
    return { hidden: kindsOf(hidden), unknown: kindsOf(unknown), names: [...names].toSorted() };
  }
}

/** Of a kind that has not answered, that only ever failed, or of which there is too much nobody knows all there is; but that is no right that lacks. */
function isUnknown({ settled }: ViewSource): boolean {
  return settled === undefined || settled === "error" || settled === "truncated";
}

/** Each kind once, however many namespaces it is read in. */
function kindsOf(sources: readonly ViewSource[]): readonly KindRef[] {
  return [...new Map(sources.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }])).values()];
}
