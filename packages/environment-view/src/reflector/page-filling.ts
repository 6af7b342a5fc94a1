import type { KubeObject, ObjectList } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { KubeClientError } from "../base/kube-client.ts";
import type { KeepRefusal, Refilling } from "../objects/kept-objects.ts";

export const PAGE_SIZE = 500;
/** A server may return fewer objects than requested; one that returns hardly any, page after page, is not read to its end. */
const MAX_PAGES_BEYOND = 20;
/** More than any cluster has. */
const MAX_HIDDEN = 1_000_000_000;

/** Why only a part of a kind is shown, for people. */
const WORDS = {
  "too-many": words("source/too-many"),
  "too-large": words("source/too-large"),
} as const satisfies Record<KeepRefusal, Words>;

/** What a filling in pages works with. */
export interface PageFillingOptions {
  /** One page of up to PAGE_SIZE objects. @throws KubeClientError */
  readonly page: (continueToken: string | undefined) => Promise<ObjectList>;
  /** What is collected is charged there; ended by the caller. */
  readonly kept: Refilling;
  readonly maxObjects: number;
  /** What is kept of an object. */
  readonly project: (object: KubeObject) => KubeObject;
}

/** What was read in pages. */
export interface PageFilling {
  readonly objects: readonly KubeObject[];
  /** Where a watch may go on; `undefined` when not even one page could be read. */
  readonly resourceVersion: string | undefined;
  /** How many are there and not among them, at least; 0 when these are all. */
  readonly hidden: number;
  /** Why there are hidden ones; absent when there are none. */
  readonly why: Words | undefined;
}

/** Reads pages until the last one, or until no more may be kept or read. @throws whatever a page throws, but for `too_large` */
export async function fillByPages(options: PageFillingOptions): Promise<PageFilling> {
  const { kept, maxObjects, project } = options;
  const objects: KubeObject[] = [];
  const mostPages = Math.ceil(maxObjects / PAGE_SIZE) + MAX_PAGES_BEYOND;
  let last: ObjectList | undefined;
  const ended = (hidden: number, why?: Words): PageFilling => {
    return { objects, resourceVersion: last?.resourceVersion, hidden: Math.min(hidden, MAX_HIDDEN), why };
  };
  for (let pages = 0; last === undefined || last.continueToken !== ""; pages += 1) {
    if (pages >= mostPages) return ended(hiddenAfter(last), WORDS["too-many"]);
    let page: ObjectList;
    try {
      page = await options.page(last?.continueToken);
    } catch (error) {
      if (!(error instanceof KubeClientError) || error.failure !== "too_large") throw error;
      return ended(hiddenAfter(last), error.words);
    }
    last = page;
    for (const [place, item] of page.items.entries()) {
      const object = project(item);
      const refusal = kept.add(object);
      if (refusal !== undefined) {
        const left = page.items.length - place;
        return ended(page.continueToken === "" ? left : left + hiddenAfter(page), WORDS[refusal]);
      }
      objects.push(object);
    }
    if (objects.length >= maxObjects && page.continueToken !== "") return ended(hiddenAfter(page), WORDS["too-many"]);
  }
  return ended(0);
}

/** How many come after a page that is not the last one, at least. */
function hiddenAfter(page: ObjectList | undefined): number {
  return Math.max(1, page?.remaining ?? 1);
}

/** Why an object that came by a watch is not shown. */
export function wordsOf(refusal: KeepRefusal): Words {
  return WORDS[refusal];
}
