"use client";
import { useEffect } from "react";
import { tLater } from "../../ui/messages.ts";

/** A tab that is looked at from outside says that it is held, too. */
export function useHeldTitle(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    const title = document.title;
    const marked = tLater("hold/title", { title });
    document.title = marked;
    return () => {
      document.title = document.title.replace(marked, () => title);
    };
  }, [isHeld]);
}
