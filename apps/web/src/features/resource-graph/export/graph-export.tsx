"use client";
import { useMemo, type ReactNode } from "react";
import type { ExportFormat } from "../../export/export-format.ts";
import { ExportMenu } from "../../export/export-menu.tsx";
import { useUrlState } from "../../address/use-url-state.ts";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import { shownStyles } from "../lines/edge-presets.ts";
import type { GraphSession } from "../picture/graph-session.ts";
import { pictureGaps } from "./export-picture.ts";
import type { GraphFormat } from "./graph-files.ts";
import type { WordsId } from "@binnacle/words";
import { tLater } from "../../../ui/messages.ts";

const FORMATS: readonly { readonly key: GraphFormat; readonly title: string; readonly does: WordsId }[] = [
  { key: "svg", title: "SVG", does: "resource-graph/svg-hint" },
  { key: "png", title: "PNG", does: "resource-graph/png-hint" },
  { key: "mermaid", title: "Mermaid", does: "resource-graph/mermaid-hint" },
  { key: "json", title: "JSON", does: "resource-graph/json-hint" },
];

/** The menu that makes files of the graph. */
export function GraphExport({ session }: { readonly session: GraphSession }): ReactNode {
  const store = useEnvironmentStore();
  const [{ edges }] = useUrlState();
  const formats = useMemo<readonly ExportFormat[]>(() => {
    const shown = shownStyles(edges);
    return FORMATS.map((format) => ({
      ...format,
      does: tLater(format.does),
      make: async (scope) => (await import("./graph-files.ts")).graphFile(format.key, { picture: session.picture(), store, shown }, scope),
    }));
  }, [session, store, edges]);
  return <ExportMenu subject="graph" formats={formats} gaps={() => pictureGaps(session.picture())} />;
}
