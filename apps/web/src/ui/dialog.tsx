"use client";
import { use, type ReactNode } from "react";
import { PinnedOverlays } from "./overlays/pinned-overlays.ts";
import { useOverlays } from "./overlays/use-overlays.ts";

/** What stands in the way of everything else until it is closed. */
export interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Escape, its button and a press beside it close it and give the focus back to what had it. */
export function Dialog({ open, ...props }: DialogProps): ReactNode {
  const isOpen = use(PinnedOverlays) || open;
  const overlays = useOverlays(isOpen);
  return isOpen && overlays !== undefined && <overlays.DialogPanel {...props} />;
}
