import { tLater } from "../text/messages.ts";
import { scopeLines, type ExportScope } from "../export/export-scope.ts";
import { inTurns } from "../export/in-turns.ts";
import type { ExportedPicture } from "./exported-picture.ts";
import { LINE_LOOKS, STATE_COLOURS } from "./light-colours.ts";

/** The graph as text of Graphviz: the cards of the picture, folded ones as one, with what it is and what its lines mean. */
export async function dotOf(picture: ExportedPicture, scope: ExportScope, turns = inTurns): Promise<string> {
  const ids = new Map(picture.cards.map(({ id }, index) => [id, `n${index}`]));
  const legend = picture.legend.map(({ text, count }) => `${text} (${count})`).join(", ");
  const lines = [
    "digraph environment {",
    "  rankdir=LR;",
    '  node [shape=box, style=rounded, fontname="Helvetica"];',
    `  label=${dotText([...scopeLines(scope), `${tLater("export/about")}: ${legend}`].join("\n"))};`,
  ];
  await turns(picture.cards, ({ id, kind, name, word, fact, strip, look, outline }) => {
    const parts = [`${kind} ${name}`, [word, strip].filter((text) => text !== "").join(": "), fact].filter((text) => text !== "");
    const style = outline === "dashed" ? ', style="rounded,dashed"' : "";
    lines.push(`  ${ids.get(id)} [label=${dotText(parts.join("\n"))}, color="${STATE_COLOURS[look]}"${style}];`);
  });
  await turns(picture.lines, ({ source, target, style, mark }) => {
    const [from, to] = [ids.get(source), ids.get(target)];
    if (from === undefined || to === undefined) return;
    const { stroke, dashes } = LINE_LOOKS[style];
    const attributes = [
      `color="${stroke}"`,
      ...(dashes === "" ? [] : ["style=dashed"]),
      ...(style === "routes" ? [] : ["arrowhead=none"]),
      ...(mark === "" ? [] : [`label=${dotText(mark)}`]),
    ];
    lines.push(`  ${from} -> ${to} [${attributes.join(", ")}];`);
  });
  return `${[...lines, "}"].join("\n")}\n`;
}

/** Any text as a quoted string of the language: a backslash begins no escape, and no quote ends it; lines are centred. */
function dotText(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(/\s+/g, " ").replaceAll(/["\\]/g, String.raw`\$&`));
  return `"${lines.join(String.raw`\n`)}"`;
}
