"use client";
import { useMemo, type ReactNode } from "react";
import { ExportMenu, type ExportFormat } from "../../export/export-menu.tsx";
import { useUrlState } from "../../address/use-url-state.ts";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import { shownStyles } from "../lines/edge-presets.ts";
import type { GraphSession } from "../picture/graph-session.ts";
import { pictureGaps } from "./export-picture.ts";
import type { GraphFormat } from "./graph-files.ts";

const FORMATS: readonly { readonly key: GraphFormat; readonly title: string; readonly does: string }[] = [
  { key: "svg", title: "SVG", does: "Drawing of all cards, its text stays text" },
  { key: "png", title: "PNG", does: "Picture of all cards" },
  { key: "mermaid", title: "Mermaid", does: "Flowchart as text" },
  { key: "json", title: "JSON", does: "Every resource and line as data" },
];

/** The menu that makes files of the graph. */
export function GraphExport({ session }: { readonly session: GraphSession }): ReactNode {
  const store = useEnvironmentStore();
  const [{ edges }] = useUrlState();
  const formats = useMemo<readonly ExportFormat[]>(() => {
    const shown = shownStyles(edges);
    return FORMATS.map((format) => ({
      ...format,
      make: async (scope) => (await import("./graph-files.ts")).graphFile(format.key, { picture: session.picture(), store, shown }, scope),
    }));
  }, [session, store, edges]);
  return <ExportMenu subject="graph" formats={formats} gaps={() => pictureGaps(session.picture())} />;
}
