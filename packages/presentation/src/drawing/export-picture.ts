import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { tLater } from "../text/messages.ts";
import type { ExportedCard, ExportedPicture } from "./exported-picture.ts";
import { lookOf, statusOf, wordOf } from "../health/health-status.ts";
import { shortKind } from "@binnacle/presentation/health/kind-words";
import { nameOfFold, nameOfNode } from "./accessible-name.ts";
import { factOf, lookOfNode, stripOf } from "./card-words.ts";
import type { PlacedCard } from "../layout/graph-engine.ts";
import { EDGE_STYLES, LINE_MARKS, type EdgeStyle } from "../layout/graph-input.ts";
import { titledColumns } from "../layout/titled-columns.ts";
import { STYLE_WORDS } from "./edge-presets.ts";
import { Lines } from "./line-path.ts";
import { MARK_SHAPES, MARK_WORDS } from "./mark-shapes.ts";
import type { DrawnGraph, GraphOfView } from "./drawn-graph.ts";
import { COMFORTABLE, pointOf } from "./geometry.ts";
import { shortTitleOfFold } from "../layout/fold-title.ts";

/** The whole picture as it leaves the page, comfortable whatever stands beside it now. The only place where export learns of the layout. */
export function exportPicture(picture: DrawnGraph, store: GraphOfView, shown: ReadonlySet<EdgeStyle>): ExportedPicture {
  const { width, height, strip, columnPitch } = COMFORTABLE;
  const lines = new Lines().of(picture, shown, { density: COMFORTABLE, tile: "" });
  return {
    cardWidth: width,
    cardHeight: height,
    stripHeight: strip,
    cards: [...picture.cards.values()].flatMap((placed) => cardOf(placed, store) ?? []),
    lines: lines.map(({ edge, source, target, path, markAt }) => ({
      source: source.id,
      target: target.id,
      path,
      style: edge.style,
      idle: edge.mark === "idle",
      mark: edge.mark === undefined ? "" : tLater(MARK_WORDS[edge.mark]),
      markAt,
    })),
    columns: titledColumns(picture.cards.values()).map(({ title, at }) => ({ text: tLater(title), x: at * columnPitch })),
    marks: LINE_MARKS.filter((mark) => lines.some(({ edge }) => edge.mark === mark)).map((mark) => ({
      text: tLater(MARK_WORDS[mark]),
      shape: MARK_SHAPES[mark],
    })),
    legend: EDGE_STYLES.filter((style) => shown.has(style)).map((style) => ({
      style,
      text: tLater(STYLE_WORDS[style]),
      count: picture.edgeCounts[style],
    })),
  };
}

/** What the picture leaves out, as sentences. */
export function pictureGaps({ cards, hidden }: DrawnGraph): readonly string[] {
  const folds = [...cards.values()].filter(({ card }) => card.type === "fold");
  const folded = folds.reduce((sum, { card }) => sum + card.members.length + card.below, 0);
  return [
    ...(hidden === 0 ? [] : [tLater("export/gap/hidden", { count: hidden })]),
    ...(folded === 0 ? [] : [tLater("export/gap/folded", { count: folded, cards: folds.length })]),
  ];
}

function cardOf({ card, slot }: PlacedCard, store: GraphOfView): ExportedCard | undefined {
  const place = { id: card.id, ...pointOf(slot, COMFORTABLE), kind: shortKind(drawnName(card.kind)) };
  if (card.type === "fold") {
    const counts = card.counts.map(([status, count]) => `${count} ${wordOf(status)}`).join(", ");
    const fact = card.below > 0 ? tLater("resource-graph/counts-below", { counts, below: card.below }) : counts;
    const [name, title] = [shortTitleOfFold(card), drawnName(nameOfFold(card))];
    return { ...place, name, fact, look: lookOf(card.status), word: wordOfStatus(card.status), strip: "", outline: "stacked", title };
  }
  const node = store.node(card.id);
  if (node === undefined) return undefined;
  return {
    ...place,
    name: drawnName(card.name),
    fact: drawnName(factOf(node)),
    look: lookOfNode(node),
    word: card.presence === "hidden" ? "" : wordOfStatus(statusOf(node)),
    strip: drawnName(stripOf(node, store)),
    outline: card.presence === "present" ? "plain" : "dashed",
    title: drawnName(nameOfNode(node)),
  };
}

/** Kinds without a rule of health have no word. */
function wordOfStatus(status: number): string {
  return status === 0 ? "" : wordOf(status);
}
