import { encodeKey, type FieldOwnership, type ObjectKey } from "@binnacle/kube";
import {
  FieldOwnershipSchema,
  Presence,
  type Edge,
  type FieldOwnership as FieldOwnershipMessage,
  type Node,
} from "@binnacle/proto/dashboard";
import { equals } from "@bufbuild/protobuf";

import type { EnvironmentScope } from "../engine/environment-scope.ts";
import { kindNameOf } from "../scope/scope-rules.ts";
import { changeOf, type ViewConnection, type ViewMessage, type ViewSource } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { fromOwnershipMessage } from "../projection/ownership-message.ts";

/** An object as a view has it. */
export type SeenObject =
  | {
      readonly kind: "present";
      /** Absent: it does not bear the mark of an inventory. */
      readonly ownership?: FieldOwnership;
      /** Something scales it. */
      readonly isAutoscaled: boolean;
    }
  /** The API server has listed all of its kind in its namespace, and it is not among them. */
  | { readonly kind: "gone" }
  /** The view does not show its kind, its namespace, or not all of it. */
  | { readonly kind: "unknown" };

interface SeenNode {
  readonly key: string;
  readonly isMissing: boolean;
  readonly ownership?: FieldOwnership | undefined;
  /** As the view sent it. */
  readonly sent: FieldOwnershipMessage | undefined;
}

const GONE: SeenObject = { kind: "gone" };
const UNKNOWN: SeenObject = { kind: "unknown" };

/** Edges of autoscalers, and the reference by which one scales. */
const AUTOSCALER = { kind: "hpa", fieldPath: "spec.scaleTargetRef" } as const;

/**
 * The field managers of the objects that a view shows, of any program that makes the view: it is read from the view's messages, in their
 * order and beginning with a snapshot.
 */
export class ViewOwnership {
  readonly #scope: ViewScope;
  readonly #nodes = new Map<number, SeenNode>();
  readonly #numbers = new Map<string, number>();
  /** What autoscalers scale, by the numbers of their edges. */
  readonly #scaled = new Map<number, number>();
  readonly #sources = new Map<string, ViewSource>();
  #connection: ViewConnection | undefined;
  #isComplete = false;
  #version = 0;
  /** Numbers of what autoscalers scale, as of a version. */
  #targets: { readonly version: number; readonly numbers: ReadonlySet<number> } | undefined;

  constructor(scope: ViewScope) {
    this.#scope = scope;
  }

  /** Everything was read once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** How the view is connected; undefined before the first message. */
  get connection(): ViewConnection | undefined {
    return this.#connection;
  }

  /** Another number whenever something has changed that a comparison reads; much of what a view shows does not. */
  get version(): number {
    return this.#version;
  }

  apply(message: ViewMessage): void {
    const { reset, nodes, edges, sources, removedNodes, removedEdges, removedSources } = changeOf(message);
    if (reset) {
      this.#version += 1;
      for (const each of [this.#nodes, this.#numbers, this.#scaled, this.#sources]) each.clear();
    }
    for (const id of removedNodes) if (this.#remove(id)) this.#version += 1;
    for (const id of removedEdges) if (this.#scaled.delete(id)) this.#version += 1;
    for (const id of removedSources) if (this.#sources.delete(id)) this.#version += 1;
    this.#put(nodes, edges, sources);
    const { connection = this.#connection, complete = this.#isComplete } = message;
    if (connection?.state !== this.#connection?.state || complete !== this.#isComplete) this.#version += 1;
    this.#connection = connection;
    this.#isComplete = complete;
  }

  of(key: ObjectKey): SeenObject {
    const number = this.#numbers.get(encodeKey(key));
    const node = number === undefined ? undefined : this.#nodes.get(number);
    if (number === undefined || node === undefined) return this.#isKnownCompletely(key) ? GONE : UNKNOWN;
    if (node.isMissing) return GONE;
    if (this.#targets?.version !== this.#version) this.#targets = { version: this.#version, numbers: new Set(this.#scaled.values()) };
    return { kind: "present", isAutoscaled: this.#targets.numbers.has(number), ...(node.ownership && { ownership: node.ownership }) };
  }

  #put(nodes: readonly Node[], edges: readonly Edge[], sources: readonly ViewSource[]): void {
    for (const { id, ref, presence, ownership: sent } of nodes) {
      if (ref === undefined || presence === Presence.NOT_VISIBLE) continue;
      const [key, isMissing, before] = [encodeKey(ref), presence === Presence.MISSING, this.#nodes.get(id)];
      if (before?.key === key && before.isMissing === isMissing && isSame(before.sent, sent)) continue;
      this.#version += 1;
      this.#remove(id);
      this.#nodes.set(id, { key, isMissing, sent, ownership: sent && fromOwnershipMessage(sent) });
      this.#numbers.set(key, id);
    }
    for (const { id, to, kind, fieldPaths } of edges) {
      if (kind !== AUTOSCALER.kind || !fieldPaths.includes(AUTOSCALER.fieldPath) || this.#scaled.get(id) === to) continue;
      this.#version += 1;
      this.#scaled.set(id, to);
    }
    for (const source of sources) {
      const before = this.#sources.get(source.id);
      // The number of objects is not compared.
      if (before?.settled !== source.settled || (before?.stale === undefined) !== (source.stale === undefined)) this.#version += 1;
      this.#sources.set(source.id, source);
    }
  }

  #remove(id: number): boolean {
    const node = this.#nodes.get(id);
    if (node !== undefined && this.#numbers.get(node.key) === id) this.#numbers.delete(node.key);
    return this.#nodes.delete(id);
  }

  /** Whether an object of this key would be shown if it was there. */
  #isKnownCompletely({ group, kind, namespace }: ObjectKey): boolean {
    const { namespaces, labels, inventory, rules } = this.#scope;
    if (!this.#isComplete || labels !== undefined || inventory !== undefined || namespace === "") return false;
    if (rules?.hidden?.includes(kindNameOf({ group, kind })) === true) return false;
    if (namespaces.length > 0 && !namespaces.includes(namespace)) return false;
    const sources = [...this.#sources.values()].filter((source) => source.kind === kind && source.group === group);
    const covering = sources.filter((source) => source.namespace === "" || source.namespace === namespace);
    return covering.length > 0 && covering.every(({ settled, stale }) => settled === "live" && stale === undefined);
  }
}

/** The ownership of a view, for one reader. */
export interface OpenOwnership {
  readonly ownership: ViewOwnership;
  /** Call it once. */
  close(): void;
}

interface SharedOwnership {
  readonly ownership: ViewOwnership;
  readonly readers: Set<() => void>;
  readonly end: () => void;
}

const SHARED = new WeakMap<object, SharedOwnership>();

/**
 * The ownership of an open view until it is closed: one subscription, however many readers the view has. `changed` is called whenever
 * the version is another.
 */
export function openOwnership(view: Pick<EnvironmentScope, "open" | "scope">, changed: () => void): OpenOwnership {
  const shared = SHARED.get(view) ?? shareOwnership(view);
  // Readers may pass the same function.
  const reader = (): void => changed();
  shared.readers.add(reader);
  return {
    ownership: shared.ownership,
    close() {
      shared.readers.delete(reader);
      if (shared.readers.size > 0) return;
      SHARED.delete(view);
      shared.end();
    },
  };
}

function shareOwnership(view: Pick<EnvironmentScope, "open" | "scope">): SharedOwnership {
  const ownership = new ViewOwnership(view.scope);
  const readers = new Set<() => void>();
  const ready = (): void => {
    const message = subscription.take();
    if (message === undefined) return;
    const { version } = ownership;
    ownership.apply(message);
    if (ownership.version !== version) for (const reader of readers) reader();
  };
  // The page that shows the view has a subscription of its own: no watch is opened for a comparison.
  const subscription = view.open(ready, { attention: "none" });
  const shared = { ownership, readers, end: () => subscription.close() };
  SHARED.set(view, shared);
  return shared;
}

function isSame(a: FieldOwnershipMessage | undefined, b: FieldOwnershipMessage | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equals(FieldOwnershipSchema, a, b));
}
