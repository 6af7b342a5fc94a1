"use client";
import { useSyncExternalStore } from "react";

/** Something that a person prefers, remembered in the browser; as `start` where the browser keeps nothing. */
export class Preference<Value extends string> {
  readonly #key: string;
  readonly #isValue: (text: string) => text is Value;
  readonly #listeners = new Set<() => void>();
  #value: Value | undefined;
  readonly start: Value;

  /** @param name its name in the storage @param isValue whether a text that was found there is one; anybody may have written it */
  constructor(name: string, start: Value, isValue: (text: string) => text is Value) {
    this.#key = `binnacle.${name}`;
    this.start = start;
    this.#isValue = isValue;
  }

  readonly get = (): Value => {
    this.#value ??= this.#read();
    return this.#value;
  };

  set(value: Value): void {
    this.#value = value;
    try {
      localStorage.setItem(this.#key, value);
    } catch {
      // A browser that keeps nothing: as long as the page lives.
    }
    for (const listener of this.#listeners) listener();
  }

  /** Also notified when another page of the browser has changed it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    const onStorage = ({ key }: StorageEvent): void => {
      if (key !== this.#key) return;
      this.#value = undefined;
      listener();
    };
    this.#listeners.add(listener);
    addEventListener("storage", onStorage);
    return () => {
      this.#listeners.delete(listener);
      removeEventListener("storage", onStorage);
    };
  };

  #read(): Value {
    try {
      const text = localStorage.getItem(this.#key);
      return text !== null && this.#isValue(text) ? text : this.start;
    } catch {
      return this.start;
    }
  }
}

/** The preference, and how to change it; as it starts while the page is made. */
export function usePreference<Value extends string>(preference: Preference<Value>): readonly [Value, (value: Value) => void] {
  const value = useSyncExternalStore(preference.subscribe, preference.get, () => preference.start);
  return [value, (next) => preference.set(next)];
}
