"use client";
import { useUrlState } from "./use-url-state.ts";

/**
 * Whether a part of the summary is unfolded, as the address says, and how to change that: a link shows the same, the back button undoes it. A
 * `details` must not open by itself: what React has not opened it does not close.
 */
export function useUnfolded(key: string): readonly [boolean, (isOpen: boolean) => void] {
  const [{ unfolded }, setUrl] = useUrlState();
  const isOpen = unfolded.includes(key);
  const set = (next: boolean): void => setUrl({ unfolded: next ? [...unfolded, key] : unfolded.filter((each) => each !== key) });
  return [isOpen, set];
}
