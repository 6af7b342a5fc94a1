import type { Metadata } from "next";
import type { ReactNode } from "react";
import { documentCalls } from "../src/first-html/document-calls.ts";
import { overviewDocument } from "../src/first-html/projects-document.tsx";
import { t } from "../src/ui/messages.ts";

/** Title: "Overview". */
export function generateMetadata(): Metadata {
  return { title: t("overview/title") };
}

/** All environments that the viewer may see; with only one it leads straight to that one. */
export default async function Page(): Promise<ReactNode> {
  return overviewDocument("", await documentCalls());
}
