import { pageWords } from "#first-catalogue";
import type { ReactNode } from "react";
import { PAGE_WORDS_ID } from "./first-catalogue.ts";

/** What the page says by itself, in the HTML: it is there before the first script, in the language of the server, and is no part of any file. */
export function PageWords(): ReactNode {
  return <script id={PAGE_WORDS_ID} type="application/json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: pageWords() }} />;
}
