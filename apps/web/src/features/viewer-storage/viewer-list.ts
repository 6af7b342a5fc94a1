import { withPrefix } from "../../ui/path-prefix.ts";
import { Subscribable } from "../live/subscribable.ts";

/** The part of a browser's storage that is used. */
export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A list that a browser keeps. */
export interface ViewerListOptions<T> {
  /** Tells it from other lists: "favourites". */
  readonly name: string;
  /** So many at most; those in front stay. */
  readonly most: number;
  /** Reads one that was kept, by whatever version of ours; `undefined` for what it cannot use. */
  readonly parse: (value: unknown) => T | undefined;
  /** Gives the storage, and may throw: browsers refuse it to some. */
  readonly storage?: () => TextStorage;
}

const NOTHING: readonly never[] = [];

/**
 * A list of a viewer's own, kept in this browser and nowhere else, each viewer's apart. Where the storage refuses, is full or holds
 * nonsense, the list lives as long as the page does.
 */
export class ViewerList<T> {
  readonly #options: ViewerListOptions<T>;
  readonly #lists = new Map<string, readonly T[]>();
  readonly #subscribers = new Subscribable();

  constructor(options: ViewerListOptions<T>) {
    this.#options = options;
  }

  /** What this viewer keeps; stable until it changes. Empty for an unknown viewer. */
  of(viewer: string | undefined): readonly T[] {
    if (viewer === undefined || viewer === "") return NOTHING;
    const known = this.#lists.get(viewer);
    if (known !== undefined) return known;
    const read = this.#read(viewer);
    this.#lists.set(viewer, read);
    return read;
  }

  /** Keeps this list instead. `false`: only as long as this page lives. */
  set(viewer: string, items: readonly T[]): boolean {
    const list = items.slice(0, this.#options.most);
    this.#lists.set(viewer, list);
    const isKept = this.#write(viewer, list);
    this.#subscribers.notify();
    return isKept;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (!this.#subscribers.isFollowed && typeof window !== "undefined") addEventListener("storage", this.#onStorage);
    const stop = this.#subscribers.subscribe(listener);
    return () => {
      stop();
      if (!this.#subscribers.isFollowed) removeEventListener("storage", this.#onStorage);
    };
  };

  /** Another page of this browser has changed it. */
  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key !== null && !key.startsWith(this.#key(""))) return;
    this.#lists.clear();
    this.#subscribers.notify();
  };

  #read(viewer: string): readonly T[] {
    try {
      const kept: unknown = JSON.parse(this.#storage().getItem(this.#key(viewer)) ?? "[]");
      if (!Array.isArray(kept)) return NOTHING;
      return kept.slice(0, this.#options.most).flatMap((value: unknown) => this.#options.parse(value) ?? []);
    } catch {
      return NOTHING; // it is blocked, or its content is invalid
    }
  }

  #write(viewer: string, list: readonly T[]): boolean {
    try {
      if (list.length === 0) this.#storage().removeItem(this.#key(viewer));
      else this.#storage().setItem(this.#key(viewer), JSON.stringify(list));
      return true;
    } catch {
      return false; // refused or full
    }
  }

  /** Two dashboards may be of one origin, under different paths. */
  #key(viewer: string): string {
    return `binnacle${withPrefix("/")}${this.#options.name}/${viewer}`;
  }

  #storage(): TextStorage {
    return this.#options.storage?.() ?? localStorage;
  }
}
