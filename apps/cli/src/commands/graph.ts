import { writeFileSync } from "node:fs";

import { dotOf } from "@binnacle/presentation/drawing/dot-writer";
import type { DrawnGraph, GraphOfView } from "@binnacle/presentation/drawing/drawn-graph";
import { PRESETS, shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import { exportPicture, pictureGaps } from "@binnacle/presentation/drawing/export-picture";
import { graphJsonOf } from "@binnacle/presentation/drawing/graph-json";
import { mermaidOf } from "@binnacle/presentation/drawing/mermaid-writer";
import { drawGraph } from "@binnacle/presentation/drawing/svg-writer";
import { scopeOf } from "@binnacle/presentation/export/export-scope";
import { DEFAULT_EDGES } from "@binnacle/presentation/graph/default-edges";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { inputEdgeOf, inputNodeOf } from "@binnacle/presentation/layout/graph-input-of";
import { freshnessOf } from "@binnacle/presentation/view/freshness";

import type { EnvironmentState } from "../connection/environment-state.ts";
import { firstWhole } from "../connection/first-whole.ts";
import { environmentOf, withSession } from "../connection/session.ts";
import type { CommandSpec } from "../program/command.ts";
import { ENVIRONMENT, PROJECT } from "../program/common-options.ts";
import { CommandFailure, EXIT, usageFailure } from "../program/exit-codes.ts";
import { verdictOf } from "../status/verdict.ts";

const FORMATS = ["svg", "mermaid", "dot", "json"] as const;

/** `binnacle graph`. */
export const GRAPH: CommandSpec = {
  name: "graph",
  summary: "Write the graph of an environment as a drawing, a diagram or JSON",
  details: ["The drawing is laid out and folded as on the page, by the same code. Each file states of when it is, and what it leaves out."],
  arguments: [ENVIRONMENT],
  options: [
    PROJECT,
    { name: "output", short: "o", value: "FORMAT", choices: FORMATS, help: "svg, mermaid, dot or json; default: mermaid" },
    { name: "edges", value: "PRESET", choices: PRESETS.map(({ key }) => key), help: `which edges are drawn; default: ${DEFAULT_EDGES}` },
    { name: "file", short: "f", value: "FILE", help: "write into this file instead of standard output" },
  ],
  examples: ["binnacle graph production -o svg -f production.svg", "binnacle graph production -o dot | dot -Tpng > production.png"],
  run: (call) =>
    withSession(call, async (session) => {
      const { terminal, options } = call;
      const state = await firstWhole(session, environmentOf(call, session.settings), terminal);
      if (terminal.isInterrupted()) return EXIT.interrupted;
      if (state.view.version === 0)
        throw new CommandFailure(verdictOf(state.view, state.nowMs).gap || "Nothing is known of the environment.");
      const text = await graphText(state, { format: options.text("output") ?? "mermaid", edges: options.text("edges") ?? DEFAULT_EDGES });
      const file = options.text("file");
      if (file === undefined) terminal.write(text);
      else writeTo(file, text);
      return EXIT.ok;
    }),
};

function writeTo(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageFailure(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The graph of a view in one of the formats. */
async function graphText(state: EnvironmentState, { format, edges }: { readonly format: string; readonly edges: string }): Promise<string> {
  const { view, nowMs } = state;
  const graph = state.graph();
  const ofView: GraphOfView = { ...graph, node: (id) => graph.nodes.get(id), graphVersion: () => view.version };
  const drawn = drawnGraph(ofView);
  const picture = exportPicture(drawn, ofView, shownStyles(edges));
  const filters = edges === DEFAULT_EDGES ? [] : [edges];
  const scope = scopeOf({ subject: "graph", view, freshness: freshnessOf(view, nowMs), filters, nowMs, gaps: pictureGaps(drawn) });
  switch (format) {
    case "svg":
      return (await drawGraph(picture, scope)).svg;
    case "dot":
      return dotOf(picture, scope);
    case "json": {
      const cards = new Map(
        [...drawn.cards.values()].flatMap(({ card }) => [card.id, ...card.members].map((id) => [id, card.id] as const)),
      );
      const content = { nodes: graph.nodes.values(), edges: graph.edges.values(), cardOf: (id: string) => cards.get(id) };
      return graphJsonOf({ ...content, legend: picture.legend }, scope);
    }
    default:
      return mermaidOf(picture, scope);
  }
}

function drawnGraph({ nodes, edges }: GraphOfView): DrawnGraph {
  const inputs = [...edges.values()].map((edge) => inputEdgeOf(edge, nodes.get(edge.to)));
  const answer = new GraphEngine().answer({ nodes: [...nodes.values()].map(inputNodeOf), edges: inputs, tidy: true });
  const edgeCounts = { owns: 0, routes: 0, uses: 0, binds: 0, governs: 0, dangling: 0 };
  for (const { style } of inputs) edgeCounts[style] += 1;
  return {
    cards: new Map(answer.cards.map((placed) => [placed.card.id, placed])),
    edges: new Map(answer.edges.map((edge) => [edge.id, edge])),
    hidden: answer.hidden,
    edgeCounts,
  };
}
