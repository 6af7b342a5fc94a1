import type { Metadata } from "next";
import type { ReactNode } from "react";
import { decodePath } from "../../../src/features/address/route-path.ts";
import { documentCalls } from "../../../src/first-html/document-calls.ts";
import { overviewDocument } from "../../../src/first-html/projects-document.tsx";
import { t } from "../../../src/ui/messages.ts";

interface Props {
  readonly params: Promise<{ readonly path: string[] }>;
}

/** Title: "Overview of" and the group. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: t("overview/title-of", { group: decodePath((await params).path) }) };
}

/** `/g/{group…}`: all environments of a group and of its subgroups. */
export default async function Page({ params }: Props): Promise<ReactNode> {
  return overviewDocument(decodePath((await params).path), await documentCalls());
}
