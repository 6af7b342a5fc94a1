import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ExportScope } from "@binnacle/presentation/export/export-scope";
import type { ExportedCard, ExportedLine, ExportedPicture } from "@binnacle/presentation/drawing/exported-picture";
import { LIGHT, STATE_COLOURS } from "@binnacle/presentation/drawing/light-colours";
import { mermaidOf } from "@binnacle/presentation/drawing/mermaid-writer";
import { drawGraph, xmlText } from "@binnacle/presentation/drawing/svg-writer";
import { pngScale } from "./png-writer.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><image href="x" onerror="alert(1)"/>',
  "]]><svg onload=alert(1)>",
  "a\nb\r\n%%{init: {}}%%",
  'x"] --> y["end',
  "`**bold**` #quot; &amp; ;",
  "\u0000\u0008\uD800\uFFFF\u202Eevil",
  "javascript:alert(1)",
];

const SCOPE: ExportScope = {
  subject: "graph",
  project: "harbor/shop",
  environment: "production",
  part: "shop-prod",
  filters: ["Kind: Pod"],
  asOfMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  asOf: "As of 2 Jan 2026, 03:04:05 UTC",
  connection: "Agent north has been offline since 2 Jan 2026, 03:00:00 UTC",
  gaps: ["12 resources are hidden by filters", "secrets not visible to you"],
};

function card(fields: Partial<ExportedCard> & { readonly id: string }): ExportedCard {
  const rest = {
    x: 0,
    y: 0,
    kind: "po",
    name: fields.id,
    fact: "",
    look: "healthy",
    word: "Healthy",
    strip: "",
    outline: "plain",
  } as const;
  return { ...rest, title: fields.id, ...fields };
}

const LINE: ExportedLine = { source: "a", target: "b", path: "M0 0H9", style: "routes", idle: false, mark: "", markAt: { x: 0, y: 0 } };

function picture(fields: Partial<ExportedPicture>): ExportedPicture {
  const legend = [{ style: "routes", text: "routes, selects", count: 3 }] as const;
  return { cardWidth: 240, cardHeight: 56, stripHeight: 24, cards: [], lines: [], columns: [], legend, marks: [], ...fields };
}

/** Every text of a hostile cluster, in every place that takes one. */
const EVIL = picture({
  cards: HOSTILE.map((text, index) =>
    card({ id: String(index), name: text, kind: text, fact: text, strip: text, word: text, title: text }),
  ),
  lines: [{ ...LINE, source: "0", target: "1", mark: HOSTILE[4] ?? "" }],
  columns: [{ text: HOSTILE[0] ?? "", x: 0 }],
  marks: [{ text: HOSTILE[4] ?? "", shape: "M0 0" }],
});
const EVIL_SCOPE: ExportScope = { ...SCOPE, environment: HOSTILE[1] ?? "", part: HOSTILE[2] ?? "", gaps: HOSTILE };

test("an SVG says what it shows, of when, how it was known, what it lacks and what its lines mean", async () => {
  const { svg } = await drawGraph(picture({ cards: [card({ id: "web" })] }), SCOPE);
  for (const text of ["production of harbor/shop", "Kind: Pod", "As of 2 Jan 2026, 03:04:05 UTC", "Agent north has been offline"])
    expect(svg).toContain(text);
  expect(svg).toContain("12 resources are hidden by filters; secrets not visible to you");
  expect(svg).toContain("routes, selects (3)");
});

test("what stands on a line is a sign, and the legend says what it means", async () => {
  const marks = [{ text: "does not exist", shape: "M-4 -4l8 8" }];
  const { svg } = await drawGraph(picture({ cards: [card({ id: "a" })], lines: [{ ...LINE, mark: "does not exist" }], marks }), SCOPE);
  expect(svg.match(/d="M-4 -4l8 8"/g)).toHaveLength(2);
  expect(svg).toMatch(/<text [^>]*>does not exist<\/text>/);
});

test("an SVG stands alone: text is text, and nothing is fetched, styled or run", async () => {
  const { svg } = await drawGraph(picture({ cards: [card({ id: "web" })], lines: [LINE] }), SCOPE);
  expect(svg).toMatch(/<text [^>]*>web<\/text>/);
  expect(svg).not.toMatch(/<(?:script|style|foreignObject|image|use|a|link)\b|@font-face|\bhref|\bon\w+=|url\((?!#)/i);
  expect(svg.match(/https?:\/\/[^"]+/g)).toEqual(["http://www.w3.org/2000/svg"]);
});

test("no name becomes markup of an SVG, whatever it is", async () => {
  const { svg } = await drawGraph(EVIL, EVIL_SCOPE);
  const tags = new Set([...svg.matchAll(/<(?!\/|\?)([^\s/>]*)/g)].map(([, name]) => name));
  expect(tags).toEqual(new Set(["circle", "clipPath", "defs", "desc", "g", "marker", "path", "rect", "svg", "text", "title"]));
  const attributes = new Set([...svg.matchAll(/<[^>]*>/g)].flatMap(([tag]) => [...tag.matchAll(/\s([\w-]+)="/g)].map(([, name]) => name)));
  expect([...attributes].filter((name) => name?.startsWith("on") === true || name === "href")).toEqual([]);
  expect(svg).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
});

test("text of XML comes out as it went in, but for what XML cannot hold", () => {
  expect(xmlText(`<a b="c">&'`)).toBe("&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
  expect(xmlText("a\u0000\uD800b😀")).toBe("a��b😀");
});

test("a thousand cards in an SVG are all there, and the page has its turns", async () => {
  let pauses = 0;
  const { inTurns } = await import("@binnacle/presentation/export/in-turns");
  const cards = Array.from({ length: 1_000 }, (_, index) => card({ id: `pod-${index}`, y: index * 88 }));
  const { svg } = await drawGraph(picture({ cards }), SCOPE, async (items, each) =>
    inTurns(items, each, async () => {
      pauses += 1;
    }),
  );
  for (const { name } of cards) expect(svg).toContain(`>${name}</text>`);
  expect(pauses).toBe(4);
});

test("what a cluster says ends no label of a Mermaid flowchart, and begins no directive, line or HTML", async () => {
  const text = await mermaidOf(EVIL, EVIL_SCOPE);
  const lines = text.trimEnd().split("\n");
  const allowed = [
    /^flowchart LR$/,
    /^ {2}n\d+\["[^"`<>%{}[\]]*(?:<br\/>[^"`<>%{}[\]]*)*"\]:::[a-z]+$/,
    /^ {2}n\d+ --?[->=.x]+(?:\|"[^"`<>%{}[\]|]*"\|)? n\d+$/,
    /^ {2}n\d+ ==>(?:\|"[^"`<>%{}[\]|]*"\|)? n\d+$/,
    /^ {2}subgraph about\["About this export"\]$/,
    /^ {4}(?:scope|legend)\["[^"`<>%{}[\]]*(?:<br\/>[^"`<>%{}[\]]*)*"\]$/,
    /^ {2}end$/,
    /^ {2}classDef [a-z]+ stroke:#[0-9a-f]{6},stroke-width:2px$/,
  ];
  expect(lines.filter((line) => !allowed.some((shape) => shape.test(line)))).toEqual([]);
  expect(lines.filter((line) => /^ {2}n\d+\[/.test(line))).toHaveLength(HOSTILE.length);
});

test("Mermaid carries scope, time and legend, and its lines connect its cards", async () => {
  const text = await mermaidOf(
    picture({ cards: [card({ id: "a" }), card({ id: "b" })], lines: [LINE, { ...LINE, style: "dangling", mark: "does not exist" }] }),
    SCOPE,
  );
  expect(text).toContain("  n0 ==> n1\n");
  expect(text).toContain('  n0 --x|"does not exist"| n1\n');
  expect(text).toMatch(/scope\["production of harbor\/shop.*As of 2 Jan 2026, 03:04:05 UTC.*secrets not visible to you"\]/);
  expect(text).toMatch(/legend\["==#62; routes, selects \(3\)"\]/);
});

test("a picture of pixels is twice as large as the drawing where browsers can draw that, and else smaller", () => {
  expect(pngScale({ width: 900, height: 600 })).toBe(2);
  const large = { width: 2_000, height: 40_000 };
  const scale = pngScale(large);
  expect(scale).toBeLessThan(1);
  expect(large.height * scale).toBeLessThanOrEqual(8_192);
  expect(large.width * scale * large.height * scale).toBeLessThanOrEqual(16_000_000);
});

test("the colours are those of the light theme", () => {
  const tokens = readFileSync(new URL("../../ui/tokens.css", import.meta.url), "utf8");
  const light = new Set([...tokens.matchAll(/light-dark\((#[0-9a-f]{6})/g)].map(([, colour]) => colour));
  for (const colour of [...Object.values(LIGHT), ...Object.values(STATE_COLOURS)]) expect(light).toContain(colour);
});
