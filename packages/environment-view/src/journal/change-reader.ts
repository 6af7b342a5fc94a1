import { idOf } from "@binnacle/graph";
import { groupOf, keyOf, projectObject, textAt, versionOf, type KubeObject } from "@binnacle/kube";

import type { ObjectKeeper } from "../objects/object-keeper.ts";
import type { Sighting } from "../objects/sighting.ts";
import { digestOf, type FieldDigests } from "../objects/field-digests.ts";
import { fieldDifferences, type ObjectVersion } from "./field-differences.ts";
import { creatorOf, lastWriterOf, writerOf, type FieldWriter } from "./field-writer.ts";
import type { ObjectChange } from "./journal-entry.ts";
import { OMITTED_KINDS } from "./reported-fields.ts";

const UNSHARED = { share: (text: string): string => text };

/** What a reader works with. */
export interface ChangeReaderOptions {
  readonly keeper: Pick<ObjectKeeper, "isWhole">;
  readonly digests: FieldDigests;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Finds what has changed between versions of an object, by which manager and when. Shared by all scopes of a view, which reuse its results. */
export class ChangeReader {
  readonly #options: ChangeReaderOptions;
  readonly #read = new WeakMap<Sighting, ObjectChange | undefined>();

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
  }

  /** @returns `undefined` when there is nothing to tell */
  read(what: "upsert" | "remove", object: KubeObject, sighting: Sighting): ObjectChange | undefined {
    if (sighting.way === "sight" || !isRecorded(object)) return undefined;
    if (this.#read.has(sighting)) return this.#read.get(sighting);
    const change = what === "remove" ? this.#deleted(object, sighting) : this.#upserted(object, sighting);
    // A takeover tells many objects with one sighting.
    if (sighting.arrived !== undefined) this.#read.set(sighting, change);
    return change;
  }

  #upserted(object: KubeObject, sighting: Sighting): ObjectChange | undefined {
    const { before, way, isCreated } = sighting;
    if (before !== undefined && idOf(before) === idOf(object)) return this.#changed(before, object, sighting);
    // It is unknown whether it existed before.
    if (way === "watch" && isCreated !== true) return undefined;
    return this.#created(object, sighting);
  }

  #created(object: KubeObject, { arrived, way }: Sighting): ObjectChange {
    const now = this.#options.now();
    const createdMs = Date.parse(textAt(object.metadata, "creationTimestamp"));
    const at = Number.isNaN(createdMs) || createdMs > now ? { atMs: now, isArrival: true } : { atMs: createdMs, isArrival: false };
    const writer = arrived && creatorOf(arrived, now);
    return { ...this.#of(object, way, writer), kind: "created", ...at };
  }

  #deleted(object: KubeObject, { way }: Sighting): ObjectChange {
    return { ...this.#of(object, way, undefined), kind: "deleted" };
  }

  #changed(before: KubeObject, object: KubeObject, { arrived, way }: Sighting): ObjectChange | undefined {
    const version = object.metadata.resourceVersion;
    if (version !== undefined && version === before.metadata.resourceVersion) return undefined;
    const [was, is] = this.#versions(before, object);
    const { fields, more } = fieldDifferences(was, is);
    if (fields.length === 0) return undefined;
    const now = this.#options.now();
    const paths = fields.map(({ path }) => path);
    const writer = arrived ? writerOf(arrived, { paths, before }, now) : writerSince(before, object, now);
    return { ...this.#of(object, way, writer), fields, moreFields: more };
  }

  /** Cut alike: of an object that was kept whole and is not any more, or the other way round, what both have is compared. */
  #versions(before: KubeObject, after: KubeObject): readonly [ObjectVersion, ObjectVersion] {
    const { keeper, digests } = this.#options;
    const kept = (object: KubeObject): ObjectVersion => ({ object, digest: digests.of(object) });
    const cut = (object: KubeObject): ObjectVersion => ({ object: projectObject(object), digest: digestOf(object, UNSHARED) });
    const [wasWhole, isWhole] = [keeper.isWhole(before), keeper.isWhole(after)];
    if (wasWhole === isWhole) return [kept(before), kept(after)];
    return wasWhole ? [cut(before), kept(after)] : [kept(before), cut(after)];
  }

  #of(object: KubeObject, way: Sighting["way"], writer: FieldWriter | undefined): ObjectChange {
    const now = this.#options.now();
    return {
      kind: "changed",
      key: keyOf(object),
      version: versionOf(object.apiVersion),
      uid: object.metadata.uid ?? "",
      atMs: writer?.atMs ?? now,
      isArrival: writer?.atMs === undefined,
      heardMs: now,
      manager: writer?.manager ?? "",
      subresource: writer?.subresource ?? "",
      isAfterGap: way === "gap",
      fields: [],
      moreFields: 0,
      count: 1,
      versions: object.metadata.resourceVersion === undefined ? [] : [object.metadata.resourceVersion],
      firstHeardMs: now,
    };
  }
}

/** Cluster-wide objects belong to no environment, though its rules ask about them. */
function isRecorded(object: KubeObject): boolean {
  return (object.metadata.namespace ?? "") !== "" && !OMITTED_KINDS.has(`${groupOf(object.apiVersion)}/${object.kind}`);
}

/** After a gap: the manager that wrote last, when it has written since. Others may have written as well. */
function writerSince(before: KubeObject, after: KubeObject, now: number): FieldWriter | undefined {
  const [known, last] = [lastWriterOf(before, now), lastWriterOf(after, now)];
  if (last === undefined) return undefined;
  return known === undefined || (last.atMs ?? 0) > (known.atMs ?? 0) || last.manager !== known.manager ? last : undefined;
}
