"use client";
import { useEffect } from "react";
import { sayLater } from "../../ui/said.ts";

/** A tab that is looked at from outside says that it is held, too. */
export function useHeldTitle(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return undefined;
    const mark = sayLater("hold/held");
    document.title = `${mark}${document.title}`;
    return () => {
      document.title = document.title.replace(mark, "");
    };
  }, [isHeld]);
}
