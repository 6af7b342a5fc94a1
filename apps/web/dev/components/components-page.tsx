"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";

import { loadLanguage } from "../../src/ui/messages.ts";

/** Specimens say how long ago things were: the server would say it of another second. They are made with their sentences, so the language is first. */
const SpecimenSheet = dynamic(
  async () => {
    await loadLanguage();
    return (await import("./specimen-sheet.tsx")).SpecimenSheet;
  },
  { ssr: false },
);

/** The page of specimens; the browser alone draws it. */
export function ComponentsPage(): ReactNode {
  return <SpecimenSheet />;
}
