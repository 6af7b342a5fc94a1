"use client";
import { useState } from "react";

/** A choice of the viewer that this browser remembers; where nothing may be kept it lasts as long as the page. */
export function useRemembered(name: string, first: boolean): readonly [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(name) ?? first);
  return [
    value,
    (next) => {
      setValue(next);
      try {
        localStorage.setItem(name, String(next));
      } catch {
        // Storage that is full or forbidden: the choice is not worth an error.
      }
    },
  ];
}

function read(name: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(name);
    return kept === "true" ? true : kept === "false" ? false : undefined;
  } catch {
    return undefined;
  }
}
