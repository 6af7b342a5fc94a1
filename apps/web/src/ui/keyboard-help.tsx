"use client";
import { use, useState, type ReactNode } from "react";
import { useCommand } from "./commands.ts";
import { Dialog } from "./dialog.tsx";
import { LazyCode, useLazyCode } from "./lazy-code.ts";
import styles from "./keyboard-help.module.css";
import { ariaKeys, withKeys } from "./keys/key-labels.ts";
import { usePageKey } from "./keys/use-page-key.ts";
import { PinnedOverlays } from "./overlays/pinned-overlays.ts";
import { Tip } from "./tip.tsx";
import { t } from "./messages.ts";

/** Read by who asks for it. */
const LAZY_SHORTCUTS = new LazyCode(async () => (await import("./keys/shortcuts-list.tsx")).Shortcuts);

/** The button and the dialog it opens; the key `?` opens it too. */
export function KeyboardHelp(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const Shortcuts = useLazyCode(LAZY_SHORTCUTS, use(PinnedOverlays) || isOpen).code;
  const keys = usePageKey("help", () => setOpen(true));
  useCommand("help", t("ui/keyboard-help"), () => setOpen(true));
  return (
    <>
      <Tip text={withKeys(t("ui/keyboard-help"), keys)}>
        <button
          type="button"
          className={`btn ghost icon sm ${styles["button"]}`}
          aria-label={t("ui/keyboard-help")}
          aria-haspopup="dialog"
          aria-keyshortcuts={ariaKeys(keys)}
          onClick={() => setOpen(true)}
        >
          ?
        </button>
      </Tip>
      <Dialog title={t("ui/keyboard")} open={isOpen} onClose={() => setOpen(false)}>
        {Shortcuts !== undefined && <Shortcuts />}
      </Dialog>
    </>
  );
}
