import { Backoff } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ApiObject } from "../api-object.ts";
import type { StoreEvent } from "../store.ts";
import type { Cluster } from "./cluster.ts";

/** Timers beyond 24 days would fire at once; looking a day early does no harm. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000;

const NAMESPACES = "/namespaces";
/** An annotation of a namespace in which no controller does anything. */
const STILL = "bench.kas/still";

/** Names an object in a controller's queue. */
export interface Key {
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Brings one kind of object to what its spec says. */
export interface Controller {
  readonly name: string;
  /** Per table of the store: which keys an event concerns. */
  readonly watches: Readonly<Record<string, (event: StoreEvent) => readonly Key[]>>;
  /** Called again after each change; returns milliseconds after which it wants to be called without one. */
  reconcile(key: Key): number | undefined;
}

/** Keys of the object itself. */
export function itself(event: StoreEvent): readonly Key[] {
  return [keyOf(event.object)];
}

/** Keys of the controllers of the object, now and before. */
export function itsController(kind: string): (event: StoreEvent) => readonly Key[] {
  return ({ object, previous }) =>
    [...(object.metadata.ownerReferences ?? []), ...(previous?.metadata.ownerReferences ?? [])]
      .filter((owner) => owner.controller === true && owner.kind === kind)
      .map((owner) => ({ namespace: object.metadata.namespace, name: owner.name }));
}

/** Key of an object. */
function keyOf(object: ApiObject): Key {
  return { namespace: object.metadata.namespace, name: object.metadata.name };
}

/** Runs controllers: events become keys, equal keys are handled once, a failing key is tried again with backoff. */
export class ControllerLoop {
  readonly #cluster: Cluster;
  readonly #log: Logger;
  readonly #pending = new Map<Controller, Map<string, Key>>();
  readonly #timers = new Map<string, () => void>();
  readonly #backoffs = new Map<string, Backoff>();
  readonly #unsubscribe: () => void;
  #cancelTurn: (() => void) | undefined;
  #stopped = false;

  constructor(cluster: Cluster, controllers: readonly Controller[], log: Logger) {
    this.#cluster = cluster;
    this.#log = log;
    for (const controller of controllers) this.#pending.set(controller, new Map());
    this.#unsubscribe = cluster.writer.store.subscribe((event) => {
      for (const controller of controllers) {
        for (const key of controller.watches[event.storage]?.(event) ?? []) this.#enqueue(controller, key);
      }
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancelTurn?.();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #enqueue(controller: Controller, key: Key): void {
    if (this.#stopped) return;
    this.#pending.get(controller)?.set(`${key.namespace ?? ""}/${key.name}`, key);
    this.#cancelTurn ??= this.#cluster.clock.after(0, () => this.#turn());
  }

  /** One pass over what is pending; what it causes comes in the next, so that requests get their turn between. */
  #turn(): void {
    this.#cancelTurn = undefined;
    for (const [controller, keys] of this.#pending) {
      const now = [...keys];
      keys.clear();
      for (const [text, key] of now) this.#reconcile(controller, text, key);
    }
  }

  /** A client writes the statuses in that namespace itself. Changes meanwhile are not reconciled later. */
  #standsStill({ namespace }: Key): boolean {
    const annotations = namespace === undefined ? undefined : this.#cluster.get(NAMESPACES, undefined, namespace)?.metadata.annotations;
    return annotations?.[STILL] === "true";
  }

  #reconcile(controller: Controller, text: string, key: Key): void {
    const id = `${controller.name} ${text}`;
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    if (this.#standsStill(key)) return;
    let againMs: number | undefined;
    try {
      againMs = controller.reconcile(key);
      this.#backoffs.delete(id);
    } catch (error) {
      const backoff = this.#backoffs.get(id) ?? new Backoff({ initialMs: 100, maxMs: 30_000 });
      this.#backoffs.set(id, backoff);
      againMs = backoff.nextMs();
      this.#log.warn({ error, controller: controller.name, key: text }, "a controller failed and tries again");
    }
    if (againMs === undefined || this.#stopped) return;
    const cancel = this.#cluster.clock.after(Math.min(againMs, LONGEST_WAIT_MS), () => this.#enqueue(controller, key));
    this.#timers.set(id, cancel);
  }
}
