"use client";
import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

let isPrinting = false;
const readers = new Set<() => void>();
let stopListening: (() => void) | undefined;

/**
 * Whether the page is on its way to paper: what is not on the screen has to be there then. A browser takes the page as it is when its
 * listeners return, so it is drawn before they do.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}

/** However many ask, the browser is listened to once. */
function subscribe(reader: () => void): () => void {
  readers.add(reader);
  stopListening ??= listen();
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    stopListening?.();
    stopListening = undefined;
  };
}

function listen(): () => void {
  const media = matchMedia("print");
  isPrinting = media.matches;
  const tell = (printing: boolean): void => {
    isPrinting = printing;
    flushSync(() => readers.forEach((reader) => reader()));
  };
  const begin = (): void => tell(true);
  const end = (): void => tell(false);
  const change = (): void => tell(media.matches);
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  media.addEventListener("change", change);
  return () => {
    isPrinting = false;
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
    media.removeEventListener("change", change);
  };
}
