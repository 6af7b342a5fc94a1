// Opens every screen in every state, in every theme, mode and width, photographs each and puts those of one screen on a contact sheet; axe
// looks at all of them. `npm run look [-- name,…] [-- --out DIR] [-- --language pseudo]`: in
// the pseudo-language what of ours is in English is a finding too. Exits with 1 when something is found.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";

import { writeContactSheet, type Photograph } from "./contact-sheet.ts";
import { openFixturePages } from "./fixture-pages.ts";
import { findingsOf } from "./judge.ts";
import { ALL_LOOKS, nameOfLook, type Look } from "./looks.ts";
import { SCREENS, type Screen } from "./screens.ts";
import { openScreen } from "./show.ts";
import { strayWords } from "./stray-words.ts";

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
const looks = wanted.length === 0 ? ALL_LOOKS : ALL_LOOKS.filter((look) => wanted.includes(nameOfLook(look)));
mkdirSync(`${values.out}/sheets`, { recursive: true });

const pages = await openFixturePages(values.language);
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
let findings = 0;
try {
  const context = await browser.newContext({ baseURL: pages.address });
  const [page, desk] = [await context.newPage(), await context.newPage()];
  let at = "";
  page.on("pageerror", (error) => report(at, error.message));
  for (const screen of screens) {
    const photographs: Photograph[] = [];
    for (const look of looks) {
      at = `${screen.name} ${nameOfLook(look)}`;
      photographs.push(await photograph(page, screen, look));
    }
    await writeContactSheet(desk, photographs, `${values.out}/sheets/${screen.name}.png`);
  }
} finally {
  await browser.close();
  await pages.close();
}
console.log(`${screens.length} screens, ${looks.length} looks each, ${findings} findings; sheets in ${values.out}/sheets`);
process.exitCode = findings === 0 ? 0 : 1;

async function photograph(page: Page, screen: Screen, look: Look): Promise<Photograph> {
  const name = nameOfLook(look);
  await openScreen(page, screen, look).catch((error: unknown) => report(`${screen.name} ${name}`, `is not there: ${String(error)}`));
  const file = `${values.out}/${screen.name}-${name}.png`;
  await page.screenshot({ path: file });
  for (const finding of await findingsOf(page, "everything")) report(`${screen.name} ${name}`, finding);
  if (values.language === "pseudo") for (const stray of await strayWords(page)) report(`${screen.name} ${name}`, stray);
  return { file, look: name };
}

function report(where: string, finding: string): void {
  findings += 1;
  console.log(`${where}: ${finding}`);
}
