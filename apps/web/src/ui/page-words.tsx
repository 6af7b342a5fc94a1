"use client";
import type { ReactNode } from "react";
import type { FirstCatalogue } from "@binnacle/presentation/text/first-catalogue";
import { takePageWords } from "./messages.ts";

/** What the page says by itself, in the language of the server: the HTML brings it, so that it is in no file of scripts. It stands first. */
export function PageWords({ words }: { readonly words: FirstCatalogue }): ReactNode {
  // What stands below says it within the same rendering. The server has all languages.
  if (typeof document !== "undefined") takePageWords(words);
  return null;
}
