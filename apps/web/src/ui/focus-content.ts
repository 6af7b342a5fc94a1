"use client";
import { useEffect, useRef } from "react";

/**
 * Where the keys of a page begin, the best first: the tab stop of a list, tree or graph, the graph itself while no card is in the page, an
 * issue, an environment, and at last whatever can be used outside of filters.
 */
const FIRST_STOPS = [
  "[data-node-id][tabindex='0']",
  "[data-view-version][tabindex='0']",
  "[data-why] :is(a[href], button)",
  "[data-environment] a[href]",
  "section[tabindex='0']",
  ":is(a[href], button):not(search *)",
] as const;
/** After this long a view is not waited for any more: the focus would move under the hands of a person who has gone on. */
const MAX_WAIT_MS = 10_000;

/** Moves the focus from wherever it is to the first row, card or link of the page's content. @returns whether there is one */
export function focusContent(root: ParentNode | null = document.getElementById("content")): boolean {
  const stop = firstStopIn(root);
  stop?.focus();
  return stop !== undefined;
}

function firstStopIn(root: ParentNode | null, selectors: readonly string[] = FIRST_STOPS): HTMLElement | undefined {
  for (const selector of selectors) {
    const found = root?.querySelector<HTMLElement>(selector);
    if (found !== null && found !== undefined) return found;
  }
  return undefined;
}

/** Whether a page of ours was there before: what was opened by its address begins at the top, as every document does. */
let hasShownPage = false;

/** Whether a link of ours led to this document, and it was not loaded again. */
function isFollowed(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  const isNew = entry instanceof PerformanceNavigationTiming && entry.type === "navigate";
  return isNew && document.referrer !== "" && new URL(document.referrer).origin === location.origin;
}

let takesFocus = false;
/** Ends the wait of the navigation before. */
let stopWaiting = (): void => {};

/** The next navigation moves the focus into the content wherever it is now: a key was pressed for it. */
export function takeFocusAlong(): void {
  takesFocus = true;
}

/**
 * After a navigation within the product moves the focus into the page's content, where the row or card is that the keys act on. Only a focus
 * that the navigation has lost, or that stands in what it has left, is moved; a user who acts meanwhile keeps the focus.
 *
 * @param place changes with each navigation
 */
export function useFocusAfterNavigation(place: string): void {
  const before = useRef<string>(undefined);
  useEffect(() => {
    const isNavigation = before.current === undefined ? hasShownPage || isFollowed() : before.current !== place;
    before.current = place;
    hasShownPage = true;
    const isTaken = takesFocus;
    takesFocus = false;
    if (!isNavigation) return;
    stopWaiting();
    stopWaiting = whenThere(isTaken);
  }, [place]);
}

/** Focuses the first stop as soon as it is in the page. @returns stops waiting */
function whenThere(isRequested: boolean): () => void {
  const root = document.getElementById("content");
  // The last of them is there before the view is: it would take the focus too early.
  const stops = FIRST_STOPS.slice(0, -1);
  const isFree = (): boolean => document.activeElement === null || document.activeElement === document.body;
  if (root === null || (!isRequested && !isFree())) return () => {};
  const focus = (): void => {
    const stop = firstStopIn(root, stops);
    if (stop === undefined) return;
    end();
    stop.focus({ preventScroll: true });
  };
  const watcher = new MutationObserver(focus);
  const timer = setTimeout(() => end(), MAX_WAIT_MS);
  const end = (): void => {
    clearTimeout(timer);
    watcher.disconnect();
    for (const event of ACTS) document.removeEventListener(event, end, true);
  };
  for (const event of ACTS) document.addEventListener(event, end, true);
  watcher.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["tabindex"] });
  focus();
  return end;
}

/** What a person does in the meantime. */
const ACTS = ["pointerdown", "focusin"] as const;
