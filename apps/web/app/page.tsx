import type { Metadata } from "next";
import type { ReactNode } from "react";
import { documentCalls } from "../src/first-html/document-calls.ts";
import { projectsDocument } from "../src/first-html/projects-document.tsx";
import { t } from "../src/ui/messages.ts";

/** Title: "Projects". */
export function generateMetadata(): Metadata {
  return { title: t("ui/projects") };
}

/** Projects of the viewer; with only one it leads straight to that one. */
export default async function Page(): Promise<ReactNode> {
  return projectsDocument(undefined, await documentCalls());
}
