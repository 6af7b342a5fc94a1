"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { SyncPill } from "./sync-pill.tsx";

/** How GitOps stands in the environment that is open, as it is now. */
export function LiveSync(): ReactNode {
  const gitops = useView().environment?.gitops;
  const now = useNow(10_000);
  return gitops === undefined ? null : <SyncPill gitops={gitops} now={now} />;
}
