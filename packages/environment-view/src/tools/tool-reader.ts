import { toolSourceFactsOf, toolSyncOf, type ToolSourceFacts, type ToolSync } from "@binnacle/health";
import { encodeKey, type KubeObject, type ObjectKey, type ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { apiCodeOf, type KubeClient } from "../base/kube-client.ts";
import { Semaphore } from "../limits/semaphore.ts";

/** Objects that are read for one view. */
const MAX_OBJECTS = 60;
/** etcd takes no larger object. */
const MAX_OBJECT_BYTES = 2 * 1024 * 1024;
/** Objects at a time, beside all else that is read. */
const CONCURRENT = 2;
/** The place that a sync takes from is looked at so often. */
const SOURCE_MS = 5 * 60_000;
/** An object that does not exist, or may not be read, is requested again after this. */
const REFUSED_MS = 5 * 60_000;
/** After a request that failed, doubled each time. */
const RETRY_MS = 30_000;
const MAX_RETRY_MS = 5 * 60_000;

/** What was read of an object. */
export type ToolReading =
  | { readonly state: "known"; readonly sync: ToolSync | undefined; readonly source: ToolSourceFacts | undefined }
  /** It may not be read; it is not there; the cluster has no such kind; no answer yet; it cannot be read. */
  | { readonly state: "forbidden" | "absent" | "unserved" | "unread" | "unreadable" };

/** What was read of an object, and since when it could not be read again. */
export interface ToolAnswer {
  readonly reading: ToolReading;
  /** Milliseconds since the epoch; absent: it is of now. */
  readonly asOfMs?: number;
}

/** What a reader works with. */
export interface ToolReaderOptions {
  readonly client: Pick<KubeClient, "get">;
  readonly clock: Clock;
  /** Interval in which a sync is read while a page with its environment is open, in milliseconds. */
  readonly pollMs: number;
  /** Of all that the view reads. */
  readonly semaphore: Semaphore;
  /** The kinds that are served; absent: not known yet. */
  readonly kinds: () => readonly ResourceKind[] | undefined;
  /** No request is sent while the connection is broken. */
  readonly isConnected: () => boolean;
  /** Something else is known of an object that a reader wants. */
  readonly changed: () => void;
}

interface Entry {
  readonly key: ObjectKey;
  reading: ToolReading;
  /** When `reading` was the answer. */
  readAtMs: number;
  /** Not before that. */
  nextAtMs: number;
  failures: number;
  busy: boolean;
}

/** The objects that one reader wants, and whether it is an open page. */
interface WantedObjects {
  readonly keys: ReadonlyMap<string, ObjectKey>;
  readonly isLooking: boolean;
}

/**
 * Reads objects of other GitOps tools that stand outside of an environment, as the viewer: each by one request now and then for all readers,
 * and only while a page is open. Only the state of its sync is retained of an object.
 */
export class ToolReader {
  readonly #options: ToolReaderOptions;
  readonly #wanted = new Map<object, WantedObjects>();
  readonly #entries = new Map<string, Entry>();
  readonly #places = new Semaphore(CONCURRENT);
  #signal: AbortSignal | undefined;

  constructor(options: ToolReaderOptions) {
    this.#options = options;
  }

  /** Begins to read, until `signal` aborts. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#pump();
    this.#lookAgain(signal);
  }

  /** Replaces the objects that a reader wants. Those beyond the limit are never read. */
  want(reader: object, keys: readonly ObjectKey[], isLooking: boolean): void {
    if (keys.length === 0) this.#wanted.delete(reader);
    else this.#wanted.set(reader, { keys: new Map(keys.map((key) => [encodeKey(key), key])), isLooking });
    const all = new Map([...this.#wanted.values()].flatMap(({ keys: each }) => [...each]));
    for (const id of this.#entries.keys()) if (!all.has(id)) this.#entries.delete(id);
    for (const [id, key] of all) {
      if (this.#entries.has(id) || this.#entries.size >= MAX_OBJECTS) continue;
      this.#entries.set(id, { key, reading: { state: "unread" }, readAtMs: 0, nextAtMs: 0, failures: 0, busy: false });
    }
    this.#pump();
  }

  /** What is known of an object. */
  answerOf(key: ObjectKey): ToolAnswer {
    const entry = this.#entries.get(encodeKey(key));
    if (this.#options.kinds() !== undefined && this.#kindOf(key) === undefined) return { reading: { state: "unserved" } };
    if (entry === undefined || entry.reading.state === "unread") return { reading: { state: "unread" } };
    // It was not read for long, or there is no answer.
    const isOld = entry.failures > 0 || this.#now() > entry.nextAtMs + this.#options.pollMs;
    return { reading: entry.reading, ...(isOld ? { asOfMs: entry.readAtMs } : {}) };
  }

  /** A new credential has come: denied and missing objects may be read again, but not for every page anew. */
  forgetRefusals(): void {
    for (const entry of this.#entries.values())
      if (entry.failures === 0 && isRefusal(entry.reading)) entry.nextAtMs = entry.readAtMs + this.#options.pollMs;
    this.#pump();
  }

  /** Time passes. */
  #lookAgain(signal: AbortSignal): void {
    const { clock, pollMs } = this.#options;
    const cancel = clock.after(pollMs, () => {
      signal.removeEventListener("abort", cancel);
      this.#pump();
      this.#lookAgain(signal);
    });
    if (signal.aborted) cancel();
    else signal.addEventListener("abort", cancel, { once: true });
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #kindOf({ group, kind }: ObjectKey): ResourceKind | undefined {
    return this.#options.kinds()?.find((each) => each.group === group && each.kind === kind && each.namespaced);
  }

  #pump(): void {
    const signal = this.#signal;
    if (signal === undefined || signal.aborted || !this.#options.isConnected()) return;
    const looked = new Set([...this.#wanted.values()].filter(({ isLooking }) => isLooking).flatMap(({ keys }) => [...keys.keys()]));
    for (const [id, entry] of this.#entries) {
      const kind = this.#kindOf(entry.key);
      if (entry.busy || kind === undefined || !looked.has(id) || this.#now() < entry.nextAtMs) continue;
      entry.busy = true;
      void this.#places.run(() => this.#options.semaphore.run(() => this.#read(entry, kind, signal)));
    }
  }

  async #read(entry: Entry, kind: ResourceKind, signal: AbortSignal): Promise<void> {
    const { namespace, name } = entry.key;
    if (!signal.aborted && this.#entries.get(encodeKey(entry.key)) === entry) {
      try {
        const object = await this.#options.client.get({ kind, namespace, name, mostBytes: MAX_OBJECT_BYTES }, signal);
        this.#learn(entry, readingOf(object));
      } catch (error) {
        this.#fail(entry, error);
      }
    }
    entry.busy = false;
  }

  #fail(entry: Entry, error: unknown): void {
    const code = apiCodeOf(error);
    if (code === 403) return this.#learn(entry, { state: "forbidden" });
    if (code === 404) return this.#learn(entry, { state: "absent" });
    // What was known stays, with its time.
    if (entry.reading.state === "unread") entry.reading = { state: "unreadable" };
    if (entry.reading.state === "unreadable") entry.readAtMs = this.#now();
    entry.failures += 1;
    entry.nextAtMs = this.#now() + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(entry.failures - 1, 6));
    this.#options.changed();
  }

  #learn(entry: Entry, reading: ToolReading): void {
    entry.reading = reading;
    entry.readAtMs = this.#now();
    entry.failures = 0;
    entry.nextAtMs = entry.readAtMs + this.#periodOf(reading);
    this.#options.changed();
  }

  #periodOf(reading: ToolReading): number {
    if (reading.state !== "known") return REFUSED_MS;
    return reading.sync === undefined ? SOURCE_MS : this.#options.pollMs;
  }
}

function readingOf(object: KubeObject): ToolReading {
  return { state: "known", sync: toolSyncOf(object), source: toolSourceFactsOf(object) };
}

function isRefusal({ state }: ToolReading): boolean {
  return state === "forbidden" || state === "absent";
}
