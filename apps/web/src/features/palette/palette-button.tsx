"use client";
import { useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { ariaKeys, withKeys } from "../../ui/keys/key-labels.ts";
import { usePageKey } from "../../ui/keys/use-page-key.ts";
import { useLazyCode, type LazyCode } from "../../ui/lazy-code.ts";
import { Tip } from "../../ui/tip.tsx";
import { t } from "../../ui/messages.ts";

/** The button that opens the command palette; Ctrl K and ⌘ K open it too. Its code comes with the first opening. */
export function PaletteButton<Code>(props: {
  readonly lazy: LazyCode<Code>;
  /** Makes what is open of the code. */
  readonly render: (code: Code, onClose: () => void) => ReactNode;
}): ReactNode {
  const { lazy, render } = props;
  const [isOpen, setOpen] = useState(false);
  const { code } = useLazyCode(lazy, isOpen);
  const open = (): void => setOpen(true);
  const keys = usePageKey("palette", open);
  return (
    <>
      <Tip text={withKeys(t("palette/title"), keys)}>
        <button
          type="button"
          className="btn ghost icon sm"
          aria-label={t("palette/title")}
          aria-haspopup="dialog"
          aria-keyshortcuts={ariaKeys(keys)}
          onClick={open}
        >
          <Icon name="search" />
        </button>
      </Tip>
      {isOpen && code !== undefined && render(code, () => setOpen(false))}
    </>
  );
}
