import { createContext, use, useCallback, useEffect, useState } from "react";
import { loadLanguage } from "./messages.ts";

/** Code that a page loads when it needs it, once for all that show it. It comes with the language that it speaks. */
export class LazyCode<T> {
  readonly #load: () => Promise<T>;
  #coming: Promise<T> | undefined;
  #code: T | undefined;

  /** @param load imports it */
  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Absent until it has come. */
  get code(): T | undefined {
    return this.#code;
  }

  /** Loads it, or says what came of that. After a failure the next call tries again. @throws as `import()` */
  async fetch(): Promise<T> {
    this.#coming ??= Promise.all([this.#load(), loadLanguage()]).then(([code]) => code);
    try {
      this.#code = await this.#coming;
      return this.#code;
    } catch (error) {
      this.#coming = undefined;
      throw error;
    }
  }
}

/** Lazy code as far as it has come. */
export interface ComingCode<T> {
  readonly code: T | undefined;
  /** Boxed: why it could not be loaded. To be thrown where a boundary keeps it from the rest of the page. */
  readonly failure: { readonly error: unknown } | undefined;
  /** Loads it again after a failure. */
  readonly retry: () => void;
}

/** What all lazy code below it needs besides: it is not drawn before that has come. `undefined`: nothing. */
export const LazyNeed = createContext<ComingCode<unknown> | undefined>(undefined);

/** Loads code when it is first wanted. Not `lazy`: React holds back what replaces a fallback for 300 ms. */
export function useLazyCode<T>(lazy: LazyCode<T>, wanted: boolean): ComingCode<T> {
  const [, setThere] = useState(lazy.code !== undefined);
  const [failure, setFailure] = useState<ComingCode<T>["failure"]>();
  useEffect(() => {
    if (!wanted || failure !== undefined) return;
    // Also when it is there: it may have come between the rendering and now.
    lazy.fetch().then(
      () => setThere(true),
      (error: unknown) => setFailure({ error }),
    );
  }, [lazy, wanted, failure]);
  const need = use(LazyNeed);
  const retryNeed = need?.retry;
  const retry = useCallback(() => {
    setFailure(undefined);
    retryNeed?.();
  }, [retryNeed]);
  const isMissing = need !== undefined && need.code === undefined;
  return { code: isMissing ? undefined : lazy.code, failure: failure ?? need?.failure, retry };
}
