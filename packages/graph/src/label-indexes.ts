import { LabelIndex, labelledOf } from "./label-index.ts";
import type { Among } from "./reference.ts";
import type { Entry, Labelled, Vertex } from "./vertex.ts";

/** Indexes by labels: of pods, of workloads by their templates, and of other kinds once a selector needs them. */
export class LabelIndexes {
  readonly pods = new LabelIndex();
  readonly workloads = new LabelIndex();
  readonly #others = new Map<Among, LabelIndex>();
  readonly #indexed: Among[] = [];
  readonly #ofKind: (kind: string) => readonly Vertex[];

  constructor(ofKind: (kind: string) => readonly Vertex[]) {
    this.#ofKind = ofKind;
  }

  /** The index of those; the first time it is made of all that are there. Rules name the kinds, so there are few. */
  of(among: Among): LabelIndex {
    if (among === "pods" || among === "workloads") return this[among];
    const known = this.#others.get(among);
    if (known !== undefined) return known;
    const made = new LabelIndex();
    this.#others.set(among, made);
    this.#indexed.push(among);
    for (const vertex of this.#ofKind(among.slice(among.indexOf(":") + 1))) {
      const labelled = labelledAs(among, vertex.entry);
      if (labelled !== undefined) made.addObject(vertex, labelled);
    }
    return made;
  }

  /** Kinds that have an index besides pods and workloads. */
  indexedKinds(): readonly Among[] {
    return this.#indexed;
  }
}

/** The labels by which an object is selected among those; `undefined` when it is none of them. */
export function labelledAs(among: Among, entry: Entry | undefined): Labelled | undefined {
  // Called for every object: no text is allocated.
  if (entry === undefined || !among.endsWith(entry.kind)) return undefined;
  const form = among.length - entry.kind.length;
  const { namespace, labels } = entry.object.metadata;
  if (form === "in:".length && among.startsWith("in:")) return labelledOf(namespace, labels);
  return form === "any:".length && among.startsWith("any:") ? labelledOf("", labels) : undefined;
}
