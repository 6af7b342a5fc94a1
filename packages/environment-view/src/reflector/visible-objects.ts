import type { KubeObject } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import type { KeptObjects } from "../objects/kept-objects.ts";
import type { KindReflectorOptions } from "./kind-reflector-options.ts";
import { wordsOf } from "./page-filling.ts";
import { IN_SIGHT } from "../objects/sighting.ts";

/** What visible objects work with. */
export interface VisibleObjectsOptions {
  readonly target: Pick<KindReflectorOptions["target"], "upsert" | "remove">;
  readonly kept: Pick<KeptObjects, "has" | "keep" | "drop">;
  /** What is kept of an object. */
  readonly project: (object: KubeObject) => KubeObject;
  /** Other objects than before are hidden. */
  readonly changed: () => void;
}

/** What a watch brings, shown as far as there is room; what finds none is counted. */
export class VisibleObjects {
  readonly #options: VisibleObjectsOptions;
  /** Objects that are there and not shown; 0 when all are shown. */
  hidden = 0;
  /** Why. */
  why: Words | undefined;

  constructor(options: VisibleObjectsOptions) {
    this.#options = options;
  }

  /** An object came or changed. One that was shown and has grown may find no room either. */
  put(type: "ADDED" | "MODIFIED", object: KubeObject): void {
    const { target, kept, project } = this.#options;
    const wasKept = kept.has(object);
    if (!wasKept && this.hidden > 0) return type === "ADDED" ? this.#hide(1) : undefined;
    const projected = project(object);
    const refusal = kept.keep(projected);
    if (refusal === undefined) return target.upsert(projected, { way: "watch", arrived: object, isCreated: type === "ADDED" });
    if (this.hidden === 0) this.why = wordsOf(refusal);
    if (wasKept) target.remove(object, IN_SIGHT);
    this.#hide(1);
  }

  /** An object has gone. */
  remove(object: KubeObject): void {
    const { target, kept } = this.#options;
    if (kept.drop(object)) target.remove(object, { way: "watch", arrived: object });
    // At least one: how many there are was an estimate, and only the next list says that these are all.
    else if (this.hidden > 1) return this.#hide(-1);
    if (this.hidden > 0) this.#hide(0);
  }

  #hide(more: number): void {
    this.hidden += more;
    this.#options.changed();
  }
}
