"use client";
import { Content, Provider, Root, Trigger } from "@radix-ui/react-tooltip";
import { use, type ReactNode } from "react";
import { PinnedOverlays } from "./pinned-overlays.ts";
import styles from "./tip-panel.module.css";

/** The words of `Tip` while they are shown, below the frame that they stand in. */
export function TipPanel({ text, onClose }: { readonly text: string; readonly onClose: () => void }): ReactNode {
  const isPinned = use(PinnedOverlays);
  return (
    <Provider disableHoverableContent>
      <Root open onOpenChange={(open) => !open && onClose()}>
        <Trigger asChild>
          <span className={styles["place"]} aria-hidden="true" />
        </Trigger>
        <Content className={styles["tip"]} side="bottom" sideOffset={6} collisionPadding={8} avoidCollisions={!isPinned}>
          {text}
        </Content>
      </Root>
    </Provider>
  );
}
