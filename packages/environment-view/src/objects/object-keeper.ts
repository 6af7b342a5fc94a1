import type { CustomEdgeRule } from "@binnacle/graph";
import {
  apiVersionOf,
  groupOf,
  isCutKind,
  projectObject,
  projectFull,
  type KubeObject,
  type ResourceKind,
  type StringPool,
} from "@binnacle/kube";

import type { HealthRules } from "../scope/health-rules.ts";
import type { FieldDigests } from "./field-digests.ts";

/** Readers of objects beside the built-in rules and edges. */
export interface ObjectKeeperOptions {
  readonly rules?: HealthRules | undefined;
  readonly customEdges: readonly CustomEdgeRule[];
  /** Where digests of what is left out are kept; absent: there are none. */
  readonly digests?: FieldDigests;
  /** Several views keep their objects here, and are given the same ones: each is cut once. */
  readonly shared?: boolean;
}

/**
 * What a view retains of its objects: what the built-in rules and edges read, and everything of kinds that rules or edges of users read,
 * because their fields are unknown.
 */
export class ObjectKeeper {
  readonly #rules: HealthRules | undefined;
  readonly #edgeKinds: ReadonlySet<string>;
  /** Of scopes that have rules of their own. */
  readonly #held = new Set<{ readonly kinds: ReadonlySet<string>; readonly rules: HealthRules | undefined }>();
  readonly #digests: FieldDigests | undefined;
  /** Of kinds that are cut, the objects that were not. */
  readonly #whole = new WeakSet<KubeObject>();
  /** What was retained of an object that came, or of a retained one itself. Absent: no source brings an object twice. */
  readonly #kept: WeakMap<KubeObject, KubeObject> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor({ rules, customEdges, digests, shared = false }: ObjectKeeperOptions) {
    this.#kept = shared ? new WeakMap() : undefined;
    this.#rules = rules;
    this.#digests = digests;
    // Packs read only what is kept anyway: a test of the graph holds them to it.
    this.#edgeKinds = kindsOf(customEdges.filter(({ pack }) => pack === undefined));
  }

  /** From now on what these read is kept whole too; what was read before has to be read again. @returns ends it, to be called once */
  hold({ edges, rules }: { readonly edges: readonly CustomEdgeRule[]; readonly rules: HealthRules | undefined }): () => void {
    const held = { kinds: kindsOf(edges), rules };
    this.#held.add(held);
    for (const listener of this.#listeners) listener();
    return () => this.#held.delete(held);
  }

  /** Calls `listener` when more than before may be wanted whole. @returns ends it */
  onHold(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether objects of a kind would be cut though a rule or an edge of a user reads them. May change with the rules. */
  wantsWhole(kind: ResourceKind): boolean {
    if (!isCut(kind.group, kind.kind)) return false;
    const reads = (kinds: ReadonlySet<string>, rules: HealthRules | undefined): boolean =>
      kinds.has(`${kind.group}/${kind.kind}`) || rules?.ruleFor(apiVersionOf(kind), kind.kind) !== undefined;
    if (reads(this.#edgeKinds, this.#rules)) return true;
    for (const held of this.#held) if (reads(held.kinds, held.rules)) return true;
    return false;
  }

  /** What is kept of an object. @param whole all of it that a rule may read */
  keep(object: KubeObject, whole: boolean, texts: StringPool): KubeObject {
    const known = this.#kept?.get(object);
    // One that was cut is never made whole: what was cut is not there any more.
    if (known !== undefined && (known === object || !whole || this.#whole.has(known))) return known;
    const kept = whole ? projectFull(object, texts) : projectObject(object, texts);
    if (whole) this.#whole.add(kept);
    else this.#digests?.note(object, kept, texts);
    this.#kept?.set(object, kept).set(kept, kept);
    return kept;
  }

  /** What is remembered beside an object as it was kept, in bytes. */
  bytesBeside(kept: KubeObject): number {
    return this.#digests?.bytesOf(kept) ?? 0;
  }

  /** Whether nothing was left out of an object that a rule of a user may read. */
  isWhole(object: KubeObject): boolean {
    return !isCut(groupOf(object.apiVersion), object.kind) || this.#whole.has(object);
  }
}

/** Kinds whose fields edges read. */
function kindsOf(edges: readonly CustomEdgeRule[]): ReadonlySet<string> {
  return new Set(edges.map(({ from }) => `${from.group}/${from.kind}`));
}

/** Of a Secret no reader gets more than the metadata, which is read without the rest. */
function isCut(group: string, kind: string): boolean {
  return isCutKind(group, kind) && !(group === "" && kind === "Secret");
}
