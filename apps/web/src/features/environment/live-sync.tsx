"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { SyncPill } from "./sync-pill.tsx";

/** How GitOps stands in the environment that is open, as it is now. */
export function LiveSync(): ReactNode {
  const sync = useView().environment?.delivery?.sync;
  const now = useNow(10_000);
  return sync === undefined ? null : <SyncPill sync={sync} now={now} />;
}
