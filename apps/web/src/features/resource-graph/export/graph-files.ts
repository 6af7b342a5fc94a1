import { graphJsonOf } from "../../export/graph-json.ts";
import { mermaidOf } from "../../export/drawing/mermaid-writer.ts";
import { pngOf, drawGraph } from "../../export/drawing/svg-writer.ts";
import type { ExportScope } from "../../export/export-scope.ts";
import type { MadeFile } from "../../../ui/save-file.ts";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import type { EdgeStyle } from "../layout/graph-input.ts";
import type { Picture } from "../picture/picture.ts";
import { exportPicture } from "./export-picture.ts";

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
