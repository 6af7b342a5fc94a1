import { randomUUID } from "node:crypto";

import { create, toBinary } from "@bufbuild/protobuf";
import type { EventTarget } from "@binnacle/graph";
import type { ObjectKey } from "@binnacle/kube";
import { PublishedTable } from "@binnacle/replica";
import { EnvironmentEventSchema, type EnvironmentEvent } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";

import type { EventIndex } from "../nodes/event-index.ts";
import type { NamedObjects } from "../projection/named-objects.ts";
import type { ViewNames } from "../nodes/view-names.ts";
import { Throttle } from "../limits/throttle.ts";
import type { ViewConnection, ViewSource } from "../stream/view-model.ts";
import { resourceEventOf } from "./event-message.ts";
import { foldEvents, newestFirst, type FoldedEvent } from "./fold-events.ts";

/** Read by people: what has just happened at once, what happens all the time twice a second. */
const LIMITS = { intervalMs: 500, burst: 2, gapMs: 50 };
/** Maximum number of Events in the table. */
export const MAX_EVENTS = 500;
const UTF8 = new TextEncoder();

/** An open table of the Events of an environment. */
export interface EventsTable {
  /** Names the table: a reader's version holds in it alone. */
  readonly id: string;
  readonly table: PublishedTable;
  /** Call it once. */
  close(): void;
}

/** How well a scope is seen. */
export interface EventsSight {
  readonly sources: readonly ViewSource[];
  readonly connection: ViewConnection;
  /** Every source has answered once. */
  readonly isComplete: boolean;
}

/** The scope that events are of. */
export interface EventsSurroundings {
  readonly clock: Clock;
  readonly events: Pick<EventIndex, "all">;
  readonly objects: Pick<NamedObjects, "shownTopOf" | "hides">;
  readonly names: () => Pick<ViewNames, "ref">;
  /** Only some objects of its namespaces are shown. */
  readonly isPartial: boolean;
}

/** With letters of which the API server and controllers make names: none that spell words (k8s.io/apimachinery/pkg/util/rand). */
const GENERATED = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const HASHED = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{6,10}$/;
const COUNTED = /^(.+)-\d{1,10}$/;

/** How controllers call what they make: of which kind its owner may be, and what the owner is called. */
const MAKERS: Readonly<Record<string, readonly (readonly [group: string, kind: string, name: RegExp])[]>> = {
  "/Pod": [
    ["apps", "ReplicaSet", GENERATED],
    ["apps", "DaemonSet", GENERATED],
    ["batch", "Job", GENERATED],
    ["apps", "StatefulSet", COUNTED],
  ],
  "apps/ReplicaSet": [["apps", "Deployment", HASHED]],
  "batch/Job": [["batch", "CronJob", COUNTED]],
};

/**
 * Events of one environment as a table: the newest five hundred, repeated ones as one, each with the workload that it belongs to. It is
 * not updated while it has no subscriber. Entries: `e/<id>` events; `s/<id>` sources of Events, `connection`, `complete` and `total` in JSON.
 */
export class ScopeEvents {
  readonly #surroundings: EventsSurroundings;
  readonly #table = new PublishedTable();
  readonly #id = randomUUID();
  readonly #throttle: Throttle;
  #sight: EventsSight | undefined;
  #followers = 0;

  constructor(surroundings: EventsSurroundings) {
    this.#surroundings = surroundings;
    this.#throttle = new Throttle(surroundings.clock, LIMITS, () => this.#tell());
  }

  /** Opens the table; what is known is there at once. */
  open(): EventsTable {
    this.#followers += 1;
    if (this.#followers === 1) this.#tell();
    return {
      id: this.#id,
      table: this.#table,
      close: () => {
        this.#followers -= 1;
        if (this.#followers === 0) this.#throttle.stop();
      },
    };
  }

  /** Events, objects or how they are seen may be others now. */
  settle(sight: EventsSight): void {
    const isFirst = sight.isComplete && this.#sight?.isComplete !== true;
    this.#sight = sight;
    if (this.#followers === 0) return;
    // A page that has just been opened waits for it.
    if (isFirst) this.#throttle.hurry();
    else this.#throttle.ask();
  }

  /** Tells nothing any more. */
  close(): void {
    this.#throttle.stop();
  }

  #tell(): void {
    const table = this.#table;
    const { shown, total } = this.#newest();
    const entries = new Map<string, Uint8Array>(shown.map((event) => [`e/${event.id}`, toBinary(EnvironmentEventSchema, event)]));
    for (const source of this.#sight?.sources ?? []) entries.set(`s/${source.id}`, json(source));
    if (this.#sight !== undefined) entries.set("connection", json(this.#sight.connection));
    entries.set("complete", json(this.#sight?.isComplete === true)).set("total", json(total));
    for (const { key } of table.entries()) if (!entries.has(key)) table.remove(key);
    for (const [key, value] of entries) table.put(key, value);
    table.announce();
  }

  #newest(): { readonly shown: readonly EnvironmentEvent[]; readonly total: number } {
    const { events, objects, isPartial } = this.#surroundings;
    const inScope: { readonly event: FoldedEvent; readonly workload: ObjectKey }[] = [];
    const known = new Map<string, ObjectKey | undefined>();
    for (const event of foldEvents(events.all())) {
      const { about } = event;
      if (objects.hides(about.key)) continue;
      const name = JSON.stringify([about.uid, about.key]);
      if (!known.has(name)) known.set(name, workloadOf(about, objects));
      const workload = known.get(name) ?? (isPartial || isNameless(about) ? undefined : about.key);
      if (workload !== undefined) inScope.push({ event, workload });
    }
    const newest = inScope.toSorted((one, other) => newestFirst(one.event, other.event)).slice(0, MAX_EVENTS);
    return { shown: newest.map(({ event, workload }) => this.#message(event, workload)), total: inScope.length };
  }

  #message({ id, about, facts }: FoldedEvent, workload: ObjectKey): EnvironmentEvent {
    const names = this.#surroundings.names();
    // One that names only a uid is of something that is there.
    const key = isNameless(about) ? workload : about.key;
    return create(EnvironmentEventSchema, {
      id,
      event: resourceEventOf(facts, names.ref({ ...key, version: "" })),
      workload: names.ref({ ...workload, version: "" }),
    });
  }
}

function isNameless({ key }: EventTarget): boolean {
  return key.kind === "" || key.name === "";
}

function json(value: unknown): Uint8Array {
  return UTF8.encode(JSON.stringify(value));
}

/**
 * What an Event's object belongs to, of what a scope shows: the topmost of its owners. Of an object that is not there any more, what has its
 * name now, or what would have called it so.
 *
 * @returns `undefined` when nothing shown has to do with it
 */
export function workloadOf(about: EventTarget, objects: Pick<NamedObjects, "shownTopOf">): ObjectKey | undefined {
  const { key } = about;
  return objects.shownTopOf(about) ?? objects.shownTopOf({ key, uid: "" }) ?? makerOf(key, objects);
}

function makerOf(key: ObjectKey, objects: Pick<NamedObjects, "shownTopOf">): ObjectKey | undefined {
  for (const [group, kind, pattern] of MAKERS[`${key.group}/${key.kind}`] ?? []) {
    const name = pattern.exec(key.name)?.[1];
    if (name === undefined) continue;
    const maker = { group, kind, namespace: key.namespace, name };
    // A deleted ReplicaSet has an owner as well.
    const top = objects.shownTopOf({ key: maker, uid: "" }) ?? makerOf(maker, objects);
    if (top !== undefined) return top;
  }
  return undefined;
}
