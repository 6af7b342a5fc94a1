"use client";
import { useEffect } from "react";

/** Keeps the session of a page renewed that came by a provider; the code for it is loaded by such pages only. */
export function SessionRenewal({ inSeconds }: { readonly inSeconds: number }): null {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    import("./keep-renewed.ts").then(
      ({ keepPageRenewed }) => {
        if (!isLeft) stop = keepPageRenewed(inSeconds);
      },
      () => undefined, // without it the session ends with its tokens, and the page says so
    );
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [inSeconds]);
  return null;
}
