"use client";
import { Close, Content, Portal, Root, Title } from "@radix-ui/react-dialog";
import { Fragment, use, useState, type ReactNode } from "react";
import type { DialogProps } from "../dialog.tsx";
import styles from "./dialog-panel.module.css";
import { PanelHead } from "./panel-head.tsx";
import { PinnedOverlays } from "./pinned-overlays.ts";

/**
 * The panel of `Dialog` while it is open. The veil is ours: the library's own would lock the page by a style element without our policy's
 * nonce, and a rule of the stylesheet beside this does the same.
 */
export function DialogPanel({ title, onClose, children }: Omit<DialogProps, "open">): ReactNode {
  const isPinned = use(PinnedOverlays);
  // In the body, because what opens it may be below the header of its page.
  const Layer = isPinned ? Fragment : Portal;
  // Before anything in the dialog takes the focus for itself.
  const [before] = useState(() => document.activeElement);
  return (
    <Root open modal={!isPinned} onOpenChange={(open) => !open && onClose()}>
      <Layer>
        <div className={styles["veil"]} />
        <Content
          className={styles["dialog"]}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            if (isPinned) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isPinned && before instanceof HTMLElement) before.focus();
          }}
          // It listens before anybody in it: what takes Escape for itself says so.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.closest("[data-takes-escape]") !== null) event.preventDefault();
          }}
          // Keys of the page must not act behind the dialog.
          onKeyDown={(event) => event.stopPropagation()}
        >
          <PanelHead title={<Title className="grow">{title}</Title>} Close={Close} />
          {children}
        </Content>
      </Layer>
    </Root>
  );
}
