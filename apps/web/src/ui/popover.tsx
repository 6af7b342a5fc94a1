"use client";
import { use, useId, useRef, useState, type ReactNode, type RefObject } from "react";
import { PinnedOverlays } from "./overlays/pinned-overlays.ts";
import { fetchOverlays, useOverlays } from "./overlays/use-overlays.ts";

/** What the button of a popover must bear. */
interface PopoverButtonProps {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly type: "button";
  readonly "aria-haspopup": "dialog";
  readonly "aria-expanded": boolean;
  readonly "aria-controls"?: string;
  readonly onClick: () => void;
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/** What opens, and from where. */
export interface PopoverProps {
  /** Makes the button that opens and closes it. */
  readonly renderButton: (props: PopoverButtonProps) => ReactNode;
  /** Its name. */
  readonly title: string;
  /** Shows the name above what it holds, with a button that closes. */
  readonly hasHead?: boolean;
  /** What has the focus first: the panel, so that it is read from its beginning, or its first control. */
  readonly focus?: "panel" | "control";
  /** Which edges lie above each other. */
  readonly align?: "start" | "end";
  /** Further classes of the panel. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A panel that a button opens, beside it and above the page, which stays usable: a dialog that is not modal (ARIA Authoring Practices). It
 * follows its button in the document, and Tab goes round in it. Escape closes it, alone, and gives the focus back; a press elsewhere closes
 * it too, and keeps the focus that it has set.
 */
export function Popover({ renderButton, children, ...look }: PopoverProps): ReactNode {
  const [isRequested, setRequested] = useState(false);
  const isOpen = use(PinnedOverlays) || isRequested;
  const overlays = useOverlays(isOpen);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  const props: PopoverButtonProps = {
    ref: anchor,
    type: "button",
    "aria-haspopup": "dialog",
    "aria-expanded": isOpen,
    ...(isOpen ? { "aria-controls": id } : {}),
    onClick: () => setRequested(!isRequested),
    onPointerEnter: fetchOverlays,
    onFocus: fetchOverlays,
  };
  return (
    <>
      {renderButton(props)}
      {isOpen && overlays !== undefined && (
        <overlays.PopoverPanel {...look} id={id} anchor={anchor} onClose={() => setRequested(false)}>
          {children}
        </overlays.PopoverPanel>
      )}
    </>
  );
}
