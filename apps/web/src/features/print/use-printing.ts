"use client";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Whether the page is on its way to paper: what is not on the screen has to be there then. A browser takes the page as it is when its
 * listeners return, so it is drawn before they do.
 */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia("print");
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    const change = (): void => (media.matches ? begin() : end());
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    media.addEventListener("change", change);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
      media.removeEventListener("change", change);
    };
  }, []);
  return isPrinting;
}
