import { tLater } from "../text/messages.ts";
import { scopeLines, type ExportScope } from "../export/export-scope.ts";
import { inTurns } from "../export/in-turns.ts";
import type { ExportedPicture, LineStyle } from "./exported-picture.ts";
import { STATE_COLOURS } from "./light-colours.ts";

/** Mermaid has three lines; the legend explains them, and beside a line that leads nowhere. */
const ARROWS: Readonly<Record<LineStyle, string>> = {
  owns: "---",
  routes: "==>",
  uses: "-.->",
  binds: "-->",
  governs: "-.-",
  dangling: "--x",
};

/** Nothing of it means anything to Mermaid in a quoted label: what is left can end no label, begin no directive, and be no HTML. */
const HARMLESS = /[^\p{L}\p{M}\p{N} .,:/_()+=*!?·…-]/gu;

/** The graph as text of a Mermaid flowchart: the cards of the picture, folded ones as one, with what it is and what its lines mean. */
export async function mermaidOf(picture: ExportedPicture, scope: ExportScope, turns = inTurns): Promise<string> {
  const ids = new Map(picture.cards.map(({ id }, index) => [id, `n${index}`]));
  const lines = ["flowchart LR"];
  await turns(picture.cards, ({ id, kind, name, word, fact, strip, look }) => {
    const parts = [`${kind} ${name}`, [word, strip].filter((text) => text !== "").join(": "), fact].filter((text) => text !== "");
    lines.push(`  ${ids.get(id)}["${parts.map(mermaidText).join("<br/>")}"]:::${look}`);
  });
  await turns(picture.lines, ({ source, target, style, mark }) => {
    const [from, to] = [ids.get(source), ids.get(target)];
    if (from === undefined || to === undefined) return;
    lines.push(`  ${from} ${ARROWS[style]}${mark === "" ? "" : `|"${mermaidText(mark)}"|`} ${to}`);
  });
  const about = scopeLines(scope).map(mermaidText).join("<br/>");
  const legend = picture.legend.map(({ style, text, count }) => mermaidText(`${ARROWS[style]} ${text} (${count})`)).join("<br/>");
  lines.push(`  subgraph about["${mermaidText(tLater("export/about"))}"]`, `    scope["${about}"]`, `    legend["${legend}"]`, "  end");
  for (const [look, colour] of Object.entries(STATE_COLOURS)) lines.push(`  classDef ${look} stroke:${colour},stroke-width:2px`);
  return `${lines.join("\n")}\n`;
}

/** Any text as part of a quoted label: other signs are written as entities (Mermaid, "Entity codes to escape characters"). */
function mermaidText(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(HARMLESS, (sign) => `#${sign.codePointAt(0)};`);
}
