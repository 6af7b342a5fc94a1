"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Tip } from "../../ui/tip.tsx";
import { usePageKey } from "../../ui/keys/use-page-key.ts";
import { useView } from "../live/environment-context.tsx";
import { useHold } from "./use-hold.ts";
import { sayLater } from "../../ui/said.ts";

/** Holds the picture while one reads, and lets it go on; the key `h` does the same. Nothing while there is nothing to be held. */
export function HoldButton({ className }: { readonly className?: string | undefined }): ReactNode {
  const { hold, blank } = useView();
  const toggle = useHold();
  const isHeld = hold !== undefined;
  usePageKey("hold", () => {
    if (!blank) toggle();
  });
  if (blank) return null;
  return (
    <Tip text={isHeld ? sayLater("hold/go-on-h") : sayLater("hold/keep-picture-as")}>
      <button type="button" className={`btn ghost sm ${className ?? ""}`} aria-pressed={isHeld} aria-keyshortcuts="h" onClick={toggle}>
        <Icon name={isHeld ? "resume" : "hold"} size={14} />
        <span>{sayLater("hold/hold")}</span>
      </button>
    </Tip>
  );
}
