"use client";
import { useEffect, useState } from "react";
import type * as Module from "./overlays.tsx";
import { reloadIfLost } from "../chunk-failure.ts";

/** What opens above the page: our looks and the library that places it and keeps its focus. */
type Overlays = typeof Module;

let overlays: Overlays | undefined;
let loading: Promise<Overlays> | undefined;

/** Fetches the code of overlays, which no page needs to be read. Called when a user is about to open one; only the first call has an effect. */
export function fetchOverlays(): void {
  load().catch(() => undefined); // opening one reports the failure
}

/**
 * The code of overlays; absent until it is fetched, which happens once one is `wanted`. Where its file is gone, by an update, the page is
 * loaded anew, once; what else goes wrong is tried again with the next opening.
 */
export function useOverlays(wanted: boolean): Overlays | undefined {
  const [, setLoaded] = useState(overlays !== undefined);
  useEffect(() => {
    if (!wanted || overlays !== undefined) return undefined;
    let left = false;
    load().then(() => {
      if (!left) setLoaded(true);
    }, reloadIfLost);
    return () => {
      left = true;
    };
  }, [wanted]);
  return overlays;
}

async function load(): Promise<Overlays> {
  loading ??= import("./overlays.tsx");
  try {
    overlays = await loading;
    return overlays;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}
