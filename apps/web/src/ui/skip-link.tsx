"use client";
import type { ReactNode } from "react";
import { focusContent } from "./focus-content.ts";
import { t } from "./messages.ts";

/** The first tab stop of every page: leads past the bar, the header and the filters to the first row, card or link. */
export function SkipLink({ className }: { readonly className: string | undefined }): ReactNode {
  return (
    <a
      className={className}
      href="#content"
      onClick={(event) => {
        if (focusContent()) event.preventDefault();
      }}
    >
      {t("ui/skip-to-content")}
    </a>
  );
}
