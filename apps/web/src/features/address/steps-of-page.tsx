"use client";
import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { staysAfterStep } from "./leave-guard.ts";

/**
 * Back and Forward between addresses of one page ask no server. Next remembers with every step the document that it was made in, takes a page
 * that was reloaded since for another one, and fetches it; the next step while that is under way leaves it waiting for ever, with the old
 * address on the screen. Here every step of the page becomes one of the document that is there.
 */
export function StepsOfPage(): null {
  const path = usePathname();
  useEffect(() => {
    const { pathname } = location;
    const state: unknown = history.state;
    const step = (event: PopStateEvent): void => {
      if (staysAfterStep()) {
        event.stopImmediatePropagation();
        return;
      }
      if (location.pathname !== pathname) return;
      event.stopImmediatePropagation();
      // Next's own function copies what is remembered here, and tells the page of the address.
      History.prototype.replaceState.call(history, state, "");
      history.replaceState(null, "", location.href);
    };
    // Before Next's.
    addEventListener("popstate", step, { capture: true });
    return () => removeEventListener("popstate", step, { capture: true });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another page has another state
  }, [path]);
  return null;
}
