"use client";
import { useEffect, useEffectEvent, useState } from "react";
import { LazyCode } from "../lazy-code.ts";
import type { PageShortcut } from "./page-shortcuts.ts";

/** Keys are not needed before the page has content. */
const LAZY_LISTENING = new LazyCode(async () => (await import("./listen-to-page.ts")).listenToPage);

/**
 * While the component is on the page, the keys of the shortcut run `action`, unless the user is typing, or a dialog is open.
 *
 * @returns the keys as they stand on a keyboard ("g e", "Ctrl K"); empty until they act
 */
export function usePageKey(shortcut: PageShortcut, action: () => void): string {
  const [keys, setKeys] = useState("");
  const run = useEffectEvent(action);
  useEffect(() => {
    let hasLeft = false;
    let leave: (() => void) | undefined;
    LAZY_LISTENING.fetch().then(
      (listen) => {
        if (!hasLeft) leave = listen(shortcut, () => run(), setKeys);
      },
      // Without its keys a page still has its buttons; lost files are reported elsewhere.
      () => undefined,
    );
    return () => {
      hasLeft = true;
      leave?.();
    };
  }, [shortcut]);
  return keys;
}
