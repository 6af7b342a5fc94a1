"use client";
import type { ReactNode } from "react";
import { useView } from "../live/environment-context.tsx";
import { HoldToggle } from "./hold-toggle.tsx";
import { useHold } from "./use-hold.ts";

/** Holds the picture of an environment while one reads, and lets it go on. Nothing while there is nothing to be held. */
export function HoldButton({ className }: { readonly className?: string | undefined }): ReactNode {
  const { pause, blank } = useView();
  const toggle = useHold();
  return !blank && <HoldToggle isHeld={pause !== undefined} toggle={toggle} className={className} />;
}
