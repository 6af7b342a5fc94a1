"use client";
import { useEffect } from "react";

const MARK = "Held · ";

/** A tab that is looked at from outside says that it is held, too. */
export function useHeldTitle(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    document.title = `${MARK}${document.title}`;
    return () => {
      document.title = document.title.replace(MARK, "");
    };
  }, [isHeld]);
}
