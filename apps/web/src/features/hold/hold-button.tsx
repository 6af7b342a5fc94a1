"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Tip } from "../../ui/tip.tsx";
import { ariaKeys, withKeys } from "../../ui/keys/told-keys.ts";
import { usePageKey } from "../../ui/keys/use-page-key.ts";
import { useView } from "../live/environment-context.tsx";
import { useHold } from "./use-hold.ts";
import { sayLater } from "../../ui/said.ts";

/** Holds the picture while one reads, and lets it go on; the key `h` does the same. Nothing while there is nothing to be held. */
export function HoldButton({ className }: { readonly className?: string | undefined }): ReactNode {
  const { hold, blank } = useView();
  const toggle = useHold();
  const isHeld = hold !== undefined;
  const keys = usePageKey("hold", () => {
    if (!blank) toggle();
  });
  if (blank) return null;
  return (
    <Tip text={withKeys(sayLater(isHeld ? "hold/go-on" : "hold/keep-picture-as"), keys)}>
      <button
        type="button"
        className={`btn ghost sm ${className ?? ""}`}
        aria-pressed={isHeld}
        aria-keyshortcuts={ariaKeys(keys)}
        onClick={toggle}
      >
        <Icon name={isHeld ? "resume" : "hold"} size={14} />
        <span>{sayLater("hold/hold")}</span>
      </button>
    </Tip>
  );
}
