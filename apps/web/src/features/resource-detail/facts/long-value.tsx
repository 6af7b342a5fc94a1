"use client";
import { visibleText } from "@binnacle/words";
import { useState, type ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { shortenEnd } from "../../../ui/shorten-end.ts";

const FEW_CHARS = 160;
/** A browser needs too long to lay out more, and it is too long to read here. */
const MAX_CHARS = 8_000;

/** A foreign value that may be very long: its beginning, a button for more, and where the rest is. */
export function LongValue({ text }: { readonly text: string }): ReactNode {
  const [open, setOpen] = useState(false);
  if (text.length <= FEW_CHARS) return <span translate="no">{visibleText(text)}</span>;
  return (
    <>
      <span translate="no">{visibleText(shortenEnd(text, open ? MAX_CHARS : FEW_CHARS))}</span>
      {open && text.length > MAX_CHARS && <span className="muted"> {tLater("drawer/in-yaml")}</span>}{" "}
      <button type="button" className="linkish" aria-expanded={open} onClick={() => setOpen(!open)}>
        {tLater(open ? "ui/less" : "drawer/show-value")}
      </button>
    </>
  );
}
