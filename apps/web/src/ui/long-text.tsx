"use client";
import { useState, type ReactNode } from "react";
import { shortenEnd } from "./shorten-end.ts";
import { t } from "./messages.ts";
import { usePrinting } from "./use-printing.ts";

const LIMIT = 240;

interface LongTextProps {
  readonly text: string;
  readonly limit?: number;
  /** "no" for a foreign text. */
  readonly translate?: "no";
  /** Draws what is shown of it; absent: as text. */
  readonly draw?: (shown: string) => ReactNode;
}

/** A sentence that may be very long: its beginning, and a button for the rest; on paper all of it. */
export function LongText({ text, limit = LIMIT, translate, draw = asText }: LongTextProps): ReactNode {
  const [open, setOpen] = useState(false);
  const isPrinting = usePrinting();
  if (isPrinting || text.length <= limit) return <p translate={translate}>{draw(text)}</p>;
  return (
    <p>
      <span translate={translate}>{draw(open ? text : shortenEnd(text, limit))}</span>{" "}
      <button type="button" className="linkish" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t("ui/less") : t("ui/more")}
      </button>
    </p>
  );
}

function asText(shown: string): ReactNode {
  return shown;
}
