// Opens every screen in every state, in every theme, mode and width, photographs each and puts those of one screen on a contact sheet; axe
// looks at all of them. `npm run look [-- name,…] [-- --looks light-390,…] [-- --out DIR] [-- --language pseudo]`: in the pseudo-language what
// of ours is in English is a finding too. Exits with 1 when something is found.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

import { writeContactSheet, type Photograph } from "./contact-sheet.ts";
import { openFixturePages } from "./fixture-pages.ts";
import { ALL_TURNS, nameOfLook, type Turn } from "./looks.ts";
import { SCREENS } from "./screens.ts";
import { strayWords } from "./stray-words.ts";
import { walk } from "./walk.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: "test-results/look" },
    looks: { type: "string", default: "" },
    language: { type: "string", default: "en" },
  },
});
const names = positionals.flatMap((each) => each.split(","));
const screens = names.length === 0 ? SCREENS : SCREENS.filter(({ name }) => names.includes(name));
const wanted = values.looks.split(",").filter((each) => each !== "");
const turns = wanted.length === 0 ? ALL_TURNS : ALL_TURNS.flatMap(wantedOf);
mkdirSync(`${values.out}/sheets`, { recursive: true });

const began = performance.now();
const pages = await openFixturePages(values.language);
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const photographs = new Map<string, Photograph[]>();
try {
  const found = await walk(browser, {
    address: pages.address,
    screens,
    turnsOf: () => turns,
    async seen(page, screen, look) {
      const name = nameOfLook(look);
      const file = `${values.out}/${screen.name}-${name}.png`;
      await page.screenshot({ path: file });
      photographs.set(screen.name, [...(photographs.get(screen.name) ?? []), { file, look: name }]);
      return values.language === "pseudo" ? strayWords(page) : [];
    },
    async left({ name }) {
      const desk = await browser.newPage();
      await writeContactSheet(desk, photographs.get(name) ?? [], `${values.out}/sheets/${name}.png`);
      await desk.close();
    },
  });
  const findings = Object.entries(found).flatMap(([where, each]) => each.map((finding) => `${where}: ${finding}`));
  for (const finding of findings) console.log(finding);
  const seconds = Math.round((performance.now() - began) / 1000);
  const looks = turns.flat().length;
  console.log(`${screens.length} screens, ${looks} looks each, ${findings.length} findings, ${seconds} s; sheets in ${values.out}/sheets`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await pages.close();
}

/** Of a turn the looks that are wanted; no turn when none is. */
function wantedOf(turn: Turn): readonly Turn[] {
  const [opened, ...others] = turn.filter((look) => wanted.includes(nameOfLook(look)));
  return opened === undefined ? [] : [[opened, ...others]];
}
