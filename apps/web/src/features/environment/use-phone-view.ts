"use client";
import { useEffect } from "react";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { useUrlState } from "../address/use-url-state.ts";

/** A window in which a graph is a keyhole (environment.module.css has the same). */
const PHONE = "(max-width: 640px)";

/** On a phone an address that names no view is the list's: the graph has no room. One that names the graph stays what it is. */
export function usePhoneView(): void {
  const [, setUrl] = useUrlState();
  // Until the page has taken the HTML over, its router does not hear of addresses.
  const isHydrated = useHydrated();
  useEffect(() => {
    const named = new URLSearchParams(location.search).has("view");
    if (isHydrated && !named && matchMedia(PHONE).matches) setUrl({ view: "list" }, "replace");
  }, [isHydrated, setUrl]);
}
