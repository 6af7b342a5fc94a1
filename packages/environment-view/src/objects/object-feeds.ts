import { idOf } from "@binnacle/graph";
import type { KubeObject } from "@binnacle/kube";

import type { ObjectStore } from "./object-store.ts";
import { IN_SIGHT, type Sighting } from "./sighting.ts";

/** Receives the changes of objects. */
export interface ObjectSink {
  upsert(object: KubeObject, sighting: Sighting): void;
  remove(object: KubeObject, sighting: Sighting): void;
}

/** Where the objects of a kind in a namespace come from. */
export interface ObjectOrigin {
  readonly layerId: string;
  /** Only objects of this namespace; empty: all of the layer. */
  readonly namespace: string;
}

interface Cell {
  readonly sinks: Set<ObjectSink>;
  origin: ObjectOrigin | undefined;
}

/**
 * The sinks that receive the objects of a kind in a namespace (a cell, by its id), and which layer is the authority for it. When another
 * layer becomes it, every sink receives only the differences: what both layers have never vanishes in between.
 */
export class ObjectFeeds {
  readonly #store: Pick<ObjectStore, "objectsOf">;
  readonly #cells = new Map<string, Cell>();
  /** Cells by layer and namespace. */
  readonly #readers = new Map<string, Map<string, Set<Cell>>>();

  constructor(store: Pick<ObjectStore, "objectsOf">) {
    this.#store = store;
  }

  /** The sink receives everything that the cell has, and then its changes. */
  join(cellId: string, sink: ObjectSink): void {
    const cell = this.#cell(cellId);
    cell.sinks.add(sink);
    for (const object of this.#objectsOf(cell.origin).values()) sink.upsert(object, IN_SIGHT);
  }

  /** The sink receives nothing more; what it has received stays valid until it goes. */
  leave(cellId: string, sink: ObjectSink): void {
    const cell = this.#cells.get(cellId);
    cell?.sinks.delete(sink);
    if (cell?.sinks.size !== 0) return;
    this.#read(cell, undefined);
    this.#cells.delete(cellId);
  }

  /**
   * The objects of a cell come from there from now on; `undefined`: there are none.
   *
   * @param wasWhole both have, or had, all there is: whatever only one of them has came or went in between
   */
  serve(cellId: string, origin: ObjectOrigin | undefined, wasWhole = false): void {
    const cell = this.#cell(cellId);
    if (cell.origin?.layerId === origin?.layerId && cell.origin?.namespace === origin?.namespace) return;
    const before = this.#objectsOf(cell.origin);
    const now = this.#objectsOf(origin);
    this.#read(cell, origin);
    const gone = [...before.values()].filter((object) => !now.has(idOf(object)));
    const other = [...now.values()].filter((object) => isOther(before.get(idOf(object)), object));
    const coming: Sighting = wasWhole ? { way: "gap" } : IN_SIGHT;
    for (const sink of cell.sinks) {
      for (const object of gone) sink.remove(object, coming);
      for (const object of other) {
        const known = before.get(idOf(object));
        sink.upsert(object, known === undefined ? coming : { way: "gap", before: known });
      }
    }
  }

  /** What has happened to an object of a layer. */
  tell(what: "upsert" | "remove", object: KubeObject, { layerId, sighting }: { layerId: string; sighting: Sighting }): void {
    const readers = this.#readers.get(layerId);
    const namespace = object.metadata.namespace ?? "";
    for (const each of namespace === "" ? [""] : ["", namespace])
      for (const cell of readers?.get(each) ?? []) for (const sink of cell.sinks) sink[what](object, sighting);
  }

  #cell(cellId: string): Cell {
    const known = this.#cells.get(cellId);
    if (known) return known;
    const cell: Cell = { sinks: new Set(), origin: undefined };
    this.#cells.set(cellId, cell);
    return cell;
  }

  #read(cell: Cell, origin: ObjectOrigin | undefined): void {
    if (cell.origin !== undefined) {
      const readers = this.#readers.get(cell.origin.layerId);
      const cells = readers?.get(cell.origin.namespace);
      cells?.delete(cell);
      if (cells?.size === 0) readers?.delete(cell.origin.namespace);
      if (readers?.size === 0) this.#readers.delete(cell.origin.layerId);
    }
    cell.origin = origin;
    if (origin === undefined) return;
    const readers = this.#readers.get(origin.layerId) ?? new Map<string, Set<Cell>>();
    this.#readers.set(origin.layerId, readers);
    const cells = readers.get(origin.namespace) ?? new Set<Cell>();
    readers.set(origin.namespace, cells);
    cells.add(cell);
  }

  #objectsOf(origin: ObjectOrigin | undefined): ReadonlyMap<string, KubeObject> {
    return origin === undefined ? NOTHING : this.#store.objectsOf(origin.layerId, origin.namespace);
  }
}

const NOTHING: ReadonlyMap<string, KubeObject> = new Map();

/** Copies of one object that two sources have read are one when they have the same version. */
function isOther(before: KubeObject | undefined, now: KubeObject): boolean {
  const version = now.metadata.resourceVersion;
  return before === undefined || version === undefined || before.metadata.resourceVersion !== version;
}
