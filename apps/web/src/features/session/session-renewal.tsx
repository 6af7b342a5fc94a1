"use client";
import { useEffect } from "react";

/** Keeps the session of a page renewed that came by a provider; its code is loaded by such pages only. */
export function SessionRenewal({ inSeconds }: { readonly inSeconds: number }): null {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isLeft = false;
    const load = async (): Promise<void> => {
      const [{ keepRenewed }, { renewSession }, { browserClock }] = await Promise.all([
        import("./keep-renewed.ts"),
        import("./renew-session.ts"),
        import("../live/browser-clock.ts"),
      ]);
      if (!isLeft) stop = keepRenewed({ firstInSeconds: inSeconds, renew: () => renewSession(), clock: browserClock, onWake });
    };
    load().catch(() => undefined); // without it the session ends with its tokens, and the page says so
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [inSeconds]);
  return null;
}

function onWake(wake: () => void): () => void {
  const seen = (): void => {
    if (document.visibilityState === "visible") wake();
  };
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", wake);
  return () => {
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", wake);
  };
}
