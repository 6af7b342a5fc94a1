import type { CustomEdgeRule } from "@binnacle/graph";
import {
  apiVersionOf,
  groupOf,
  isCutKind,
  projectObject,
  projectWhole,
  type KubeObject,
  type ResourceKind,
  type StringPool,
} from "@binnacle/kube";

import type { HealthRules } from "../health-rules.ts";

/** Who reads objects beside the built-in rules and edges. */
export interface ObjectKeeperOptions {
  readonly rules?: HealthRules | undefined;
  readonly customEdges: readonly CustomEdgeRule[];
}

/**
 * What a view keeps of its objects: what the built-in rules and edges read, and of kinds that rules or edges of users read
 * everything, because nobody knows what those look at.
 */
export class ObjectKeeper {
  readonly #rules: HealthRules | undefined;
  readonly #edgeKinds: ReadonlySet<string>;
  /** Of kinds that are cut, the objects that were not. */
  readonly #whole = new WeakSet<KubeObject>();

  constructor({ rules, customEdges }: ObjectKeeperOptions) {
    this.#rules = rules;
    this.#edgeKinds = new Set(customEdges.map(({ from }) => `${from.group}/${from.kind}`));
  }

  /** Whether objects of a kind would be cut though a rule or an edge of a user reads them. May change with the rules. */
  wantsWhole(kind: ResourceKind): boolean {
    if (!isCut(kind.group, kind.kind)) return false;
    return this.#edgeKinds.has(`${kind.group}/${kind.kind}`) || this.#rules?.ruleFor(apiVersionOf(kind), kind.kind) !== undefined;
  }

  /** What is kept of an object. @param whole all of it that a rule may read */
  keep(object: KubeObject, whole: boolean, texts: StringPool): KubeObject {
    if (!whole) return projectObject(object, texts);
    const kept = projectWhole(object, texts);
    this.#whole.add(kept);
    return kept;
  }

  /** Whether nothing was left out of an object that a rule of a user may read. */
  isWhole(object: KubeObject): boolean {
    return !isCut(groupOf(object.apiVersion), object.kind) || this.#whole.has(object);
  }
}

/** Of a Secret nobody gets more than the metadata, which is read without the rest. */
function isCut(group: string, kind: string): boolean {
  return isCutKind(group, kind) && !(group === "" && kind === "Secret");
}
