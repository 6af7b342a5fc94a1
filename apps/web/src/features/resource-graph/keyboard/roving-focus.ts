import { useCallback, useEffect, useRef, type FocusEvent, type RefObject } from "react";

/** Which card is the one tab stop of the graph. Only the two cards that change places render. */
export class RovingFocus {
  readonly #listeners = new Map<string, Set<() => void>>();
  #current = "";

  get current(): string {
    return this.#current;
  }

  set(id: string): void {
    if (id === this.#current) return;
    const before = this.#current;
    this.#current = id;
    this.#tell(before);
    this.#tell(id);
  }

  subscribe(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(id);
    };
  }

  #tell(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}

/**
 * From afar no card is in the page: the graph itself is the tab stop, and takes over from the card that had the focus, so that the keys
 * go on. Readers hear its name, which says what is in it.
 *
 * @returns what the graph does on focus and on blur
 */
export function useFarFocus(root: RefObject<HTMLElement | null>, far: boolean) {
  const inside = useRef(false);
  useEffect(() => {
    // The card that has it is about to leave the page, or has left: it takes the focus with it and says nothing.
    if (far && inside.current) root.current?.focus({ preventScroll: true });
  }, [root, far]);
  const onFocusInside = useCallback(
    (event: FocusEvent<HTMLElement>) => {
      inside.current = event.target === root.current || event.target.dataset["nodeId"] !== undefined;
    },
    [root],
  );
  const onBlurInside = useCallback((event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget !== null) inside.current = false;
  }, []);
  return { onFocusInside, onBlurInside };
}
