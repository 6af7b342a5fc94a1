"use client";
import { useState, type ReactNode } from "react";
import { shortenEnd } from "./shorten-end.ts";

const LIMIT = 240;

/** A sentence that may be very long: its beginning, and a button for the rest. */
export function LongText({ text, limit = LIMIT }: { readonly text: string; readonly limit?: number }): ReactNode {
  const [open, setOpen] = useState(false);
  if (text.length <= limit) return <p>{text}</p>;
  return (
    <p>
      {open ? text : shortenEnd(text, limit)}{" "}
      <button type="button" className="linkish" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "less" : "more"}
      </button>
    </p>
  );
}
