"use client";
import type { ReactNode } from "react";
import { t } from "./messages.ts";
import { useCopy } from "./use-copy.ts";

/** A button that copies a request for access to the clipboard. */
export function CopyRequest({ text }: { readonly text: () => string }): ReactNode {
  const [copied, copy] = useCopy(text);
  return (
    <button type="button" className="btn sm" onClick={copy}>
      {copied ? t("ui/copied") : t("ui/copy-request")}
    </button>
  );
}
