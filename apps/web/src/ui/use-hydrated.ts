"use client";
import { useSyncExternalStore } from "react";

const never = (): (() => void) => () => undefined;

/** False in HTML, and while a browser takes the HTML over: what is shown then must be the same. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
