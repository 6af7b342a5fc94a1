"use client";
import { useEffect, useEffectEvent } from "react";

/** While the component is on the page, `key` runs `action`, unless somebody is typing or holds a modifier. */
export function usePageKey(key: string, action: () => void): void {
  const run = useEffectEvent(action);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]");
      if (event.key !== key || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [key]);
}
