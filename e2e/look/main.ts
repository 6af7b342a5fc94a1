// Opens every screen in every state, in every theme, mode and width, photographs each and puts those of one screen on a contact sheet; axe
// looks at all of them. `npm run look [-- name,…] [-- --looks light-390,…] [-- --out DIR] [-- --language pseudo]`: in the pseudo-language what
// of ours is in English is a finding too. Exits with 1 when something is found. `npm run look -- readme` makes the pictures of README.md instead.
import { chromium } from "playwright-core";

import { readArguments } from "@binnacle/testing";
import { lookAtScreens } from "./look-at-screens.ts";
import { writeReadmePictures } from "./readme/readme-pictures.ts";

const USAGE = "usage: npm run look -- [screen,… | readme] [--looks LOOK,…] [--out DIR] [--language en|pseudo]";
const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    out: { type: "string" },
    looks: { type: "string", default: "" },
    language: { type: "string", default: "en" },
  },
});
const names = positionals.flatMap((each) => each.split(","));
const isReadme = names.includes("readme");
if (isReadme && names.length > 1) throw new Error("`readme` makes pictures of its own: name no screen beside it");

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  if (isReadme) {
    for (const [name, bytes] of await writeReadmePictures(browser, values.out ?? "docs/images")) console.log(`${name}: ${bytes} bytes`);
  } else {
    const looks = values.looks.split(",").filter((each) => each !== "");
    const found = await lookAtScreens(browser, { names, looks, language: values.language, out: values.out ?? "test-results/look" });
    process.exitCode = found === 0 ? 0 : 1;
  }
} finally {
  await browser.close();
}
