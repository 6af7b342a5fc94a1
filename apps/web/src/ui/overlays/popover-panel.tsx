"use client";
import { Anchor, Close, Content, Root } from "@radix-ui/react-popover";
import { use, useRef, type ReactNode, type RefObject } from "react";
import type { PopoverProps } from "../popover.tsx";
import { PanelHead } from "./panel-head.tsx";
import { PinnedOverlays } from "./pinned-overlays.ts";
import styles from "./popover-panel.module.css";

/** What an open popover shows, and where. */
interface PopoverPanelProps extends Omit<PopoverProps, "renderButton"> {
  readonly id: string;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The panel of `Popover` while it is open. */
export function PopoverPanel(props: PopoverPanelProps): ReactNode {
  const { id, anchor, onClose, title, hasHead = false, focus = "panel", align = "start", className = "", children } = props;
  const isPinned = use(PinnedOverlays);
  const leftByPress = useRef(false);
  const focusFirst = (event: Event): void => {
    if (!isPinned && focus === "control") return;
    event.preventDefault();
    if (!isPinned && event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
  };
  const giveFocusBack = (event: Event): void => {
    event.preventDefault();
    if (!leftByPress.current && !isPinned) anchor.current?.focus();
  };
  return (
    <Root open onOpenChange={(open) => !open && onClose()}>
      <Anchor virtualRef={anchor} />
      <Content
        id={id}
        className={`${styles["panel"]} ${isPinned ? styles["pinned"] : ""} ${className}`}
        aria-label={title}
        align={align}
        sideOffset={8}
        collisionPadding={16}
        avoidCollisions={!isPinned}
        // What scrolls must be reachable by keyboard, and may hold nothing else that is.
        {...(focus === "panel" ? { tabIndex: 0 } : {})}
        onOpenAutoFocus={focusFirst}
        onCloseAutoFocus={giveFocusBack}
        onInteractOutside={(event) => {
          // The button closes it by itself.
          if (event.target instanceof Node && anchor.current?.contains(event.target) === true) event.preventDefault();
          else leftByPress.current = true;
        }}
      >
        {hasHead && <PanelHead title={<h2 className="grow">{title}</h2>} Close={Close} />}
        {children}
      </Content>
    </Root>
  );
}
