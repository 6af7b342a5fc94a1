"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { ariaKeys, withKeys } from "../../ui/keys/key-labels.ts";
import { usePageKey } from "../../ui/keys/use-page-key.ts";
import { tLater } from "../../ui/messages.ts";
import { Tip } from "../../ui/tip.tsx";

/** The button, and the key, that hold a page while one reads, and let it go on. */
export function HoldToggle(props: {
  readonly isHeld: boolean;
  readonly toggle: () => void;
  readonly className?: string | undefined;
}): ReactNode {
  const { isHeld, toggle, className } = props;
  const keys = usePageKey("hold", toggle);
  return (
    <Tip text={withKeys(tLater(isHeld ? "ui/resume" : "hold/pause-title"), keys)}>
      <button
        type="button"
        className={`btn ghost sm ${className ?? ""}`}
        aria-pressed={isHeld}
        aria-keyshortcuts={ariaKeys(keys)}
        onClick={toggle}
      >
        <Icon name={isHeld ? "resume" : "hold"} size={14} />
        <span>{tLater("hold/pause")}</span>
      </button>
    </Tip>
  );
}
