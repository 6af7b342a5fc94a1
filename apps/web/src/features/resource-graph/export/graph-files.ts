import { graphJsonOf } from "@binnacle/presentation/drawing/graph-json";
import { mermaidOf } from "@binnacle/presentation/drawing/mermaid-writer";
import { drawGraph } from "@binnacle/presentation/drawing/svg-writer";
import { pngOf } from "../../export/png-writer.ts";
import type { ExportScope } from "@binnacle/presentation/export/export-scope";
import type { MadeFile } from "@binnacle/presentation/export/made-file";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import type { EdgeStyle } from "@binnacle/presentation/layout/graph-input";
import type { Picture } from "../picture/picture.ts";
import { exportPicture } from "@binnacle/presentation/drawing/export-picture";

/** What a graph is exported from. */
export interface GraphSource {
  readonly picture: Picture;
  readonly store: EnvironmentStore;
  readonly shown: ReadonlySet<EdgeStyle>;
}

/** What a graph can be exported as. */
export type GraphFormat = "svg" | "png" | "mermaid" | "json";

/** Makes a file of the graph as it is now. @throws when the browser cannot draw it */
export async function graphFile(format: GraphFormat, { picture, store, shown }: GraphSource, scope: ExportScope): Promise<MadeFile> {
  const drawn = exportPicture(picture, store, shown);
  switch (format) {
    case "svg":
      return { content: new Blob([(await drawGraph(drawn, scope)).svg], { type: "image/svg+xml" }), extension: "svg" };
    case "png":
      return pngOf(await drawGraph(drawn, scope));
    case "mermaid":
      return { content: new Blob([await mermaidOf(drawn, scope)], { type: "text/plain;charset=utf-8" }), extension: "mmd" };
    case "json":
    default: {
      const cards = new Map(
        [...picture.cards.values()].flatMap(({ card }) => [card.id, ...card.members].map((id) => [id, card.id] as const)),
      );
      // Copies: between two turns a message may change the maps.
      const content = { nodes: [...store.nodes.values()], edges: [...store.edges.values()], cardOf: (id: string) => cards.get(id) };
      const text = await graphJsonOf({ ...content, legend: drawn.legend }, scope);
      return { content: new Blob([text], { type: "application/json" }), extension: "json" };
    }
  }
}
