import { useState } from "react";

/** Puts a text on the clipboard, and whether that was done: a clipboard is not visible. Shared by all copy buttons. */
export function useCopy(text: () => string): readonly [boolean, () => void] {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    // Where a page came over plain HTTP from another host there is no clipboard.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) return setCopied(false);
    clipboard.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return [copied, copy];
}
