"use client";
import * as RadixDialog from "@radix-ui/react-dialog";
import * as RadixPopover from "@radix-ui/react-popover";
import * as RadixTooltip from "@radix-ui/react-tooltip";
import { Fragment, use, useRef, useState, type ReactNode, type RefObject } from "react";
import type { DialogProps } from "../dialog.tsx";
import type { PopoverProps } from "../popover.tsx";
import dialogStyles from "./dialog-panel.module.css";
import { PanelHead } from "./panel-head.tsx";
import { PinnedOverlays } from "./pinned-overlays.ts";
import popoverStyles from "./popover-panel.module.css";
import tipStyles from "./tip-panel.module.css";

/**
 * The panel of `Dialog` while it is open. The veil is ours: the library's own would lock the page by a style element without our policy's
 * nonce, and a rule of the stylesheet beside this does the same.
 */
export function DialogPanel({ title, onClose, children }: Omit<DialogProps, "open">): ReactNode {
  const isPinned = use(PinnedOverlays);
  // In the body, because what opens it may be below the header of its page.
  const Layer = isPinned ? Fragment : RadixDialog.Portal;
  // Before anything in the dialog takes the focus for itself.
  const [before] = useState(() => document.activeElement);
  return (
    <RadixDialog.Root open modal={!isPinned} onOpenChange={(open) => !open && onClose()}>
      <Layer>
        <div className={dialogStyles["veil"]} />
        <RadixDialog.Content
          className={dialogStyles["dialog"]}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            if (isPinned) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!isPinned && before instanceof HTMLElement) before.focus();
          }}
          // It listens before its content: an element that handles Escape itself has `data-takes-escape`.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.closest("[data-takes-escape]") !== null) event.preventDefault();
          }}
          // Keys of the page must not act behind the dialog.
          onKeyDown={(event) => event.stopPropagation()}
        >
          <PanelHead title={<RadixDialog.Title className="grow">{title}</RadixDialog.Title>} Close={RadixDialog.Close} />
          {children}
        </RadixDialog.Content>
      </Layer>
    </RadixDialog.Root>
  );
}

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
    <RadixPopover.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixPopover.Anchor virtualRef={anchor} />
      <RadixPopover.Content
        id={id}
        className={`${popoverStyles["panel"]} ${isPinned ? popoverStyles["pinned"] : ""} ${className}`}
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
        {hasHead && <PanelHead title={<h2 className="grow">{title}</h2>} Close={RadixPopover.Close} />}
        {children}
      </RadixPopover.Content>
    </RadixPopover.Root>
  );
}

/** The words of `Tip` while they are shown, below the frame that they stand in. */
export function TipPanel({ text, onClose }: { readonly text: string; readonly onClose: () => void }): ReactNode {
  const isPinned = use(PinnedOverlays);
  return (
    <RadixTooltip.Provider disableHoverableContent>
      <RadixTooltip.Root open onOpenChange={(open) => !open && onClose()}>
        <RadixTooltip.Trigger asChild>
          <span className={tipStyles["place"]} aria-hidden="true" />
        </RadixTooltip.Trigger>
        <RadixTooltip.Content className={tipStyles["tip"]} side="bottom" sideOffset={6} collisionPadding={8} avoidCollisions={!isPinned}>
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
