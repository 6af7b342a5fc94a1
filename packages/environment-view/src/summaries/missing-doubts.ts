import type { KubeObject, ResourceKind } from "@binnacle/kube";
import type { ResourceRef } from "@binnacle/proto/dashboard";

import { countsForHealth } from "../scope/kind-plan.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { refusalOf } from "./kind-census.ts";
import type { PacedLists } from "./paced-lists.ts";
import { scopeKeyOf } from "./summary-source.ts";

/** Kinds that are read again in one look at most, one namespace each. */
const MAX_READ_AGAIN = 100;

/**
 * A look reads one kind after the other, and believes for a minute that a custom kind is empty: what is referred to may have been made
 * in between. Whatever is missing for the first time is doubted until its kind was read again in its namespace.
 */
export class MissingDoubts {
  readonly #lists: PacedLists;
  readonly #known = new Map<string, ReadonlySet<string>>();
  #readAgain = 0;

  constructor(lists: PacedLists) {
    this.#lists = lists;
  }

  /** A look begins at these scopes. */
  begin(scopes: readonly ViewScope[]): void {
    const wanted = new Set(scopes.map(scopeKeyOf));
    for (const key of this.#known.keys()) if (!wanted.has(key)) this.#known.delete(key);
    this.#readAgain = 0;
  }

  /** What is missing in a scope and was not when it was looked at last; of its first look nothing is. */
  of(scope: ViewScope, missing: readonly ResourceRef[]): readonly ResourceRef[] {
    const known = this.#known.get(scopeKeyOf(scope));
    return known === undefined ? [] : missing.filter((ref) => !known.has(nameOf(ref)));
  }

  /** This is missing, without a doubt. */
  settle(scope: ViewScope, missing: readonly ResourceRef[]): void {
    this.#known.set(scopeKeyOf(scope), new Set(missing.map(nameOf)));
  }

  /**
   * Reads the kinds of what is in doubt again, where it should be.
   *
   * @returns all objects there; `undefined` when that would be too many requests, or one was refused: the doubts stay
   * @throws KubeClientError for a failure that is not the API server's answer
   */
  async read(refs: readonly ResourceRef[], kinds: readonly ResourceKind[], signal: AbortSignal): Promise<ReadAgain[] | undefined> {
    const places = new Map(refs.map((ref) => [`${ref.group}/${ref.kind}/${ref.namespace}`, ref]));
    if (this.#readAgain + places.size > MAX_READ_AGAIN) return undefined;
    this.#readAgain += places.size;
    const found: ReadAgain[] = [];
    for (const { group, kind: name, namespace } of places.values()) {
      const kind = kinds.find((each) => each.group === group && each.kind === name);
      if (kind === undefined) continue;
      try {
        const objects: KubeObject[] = [];
        for await (const page of this.#lists.list({ kind, namespace, metadataOnly: !countsForHealth(kind) }, signal)) {
          if (page === "again") objects.length = 0;
          else objects.push(...page);
        }
        found.push({ kind, objects });
      } catch (error) {
        refusalOf(error);
        return undefined;
      }
    }
    return found;
  }
}

/** A kind that was read again in one namespace. */
export interface ReadAgain {
  readonly kind: ResourceKind;
  /** Of kinds without a health only metadata. */
  readonly objects: readonly KubeObject[];
}

function nameOf({ group, kind, namespace, name }: ResourceRef): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
