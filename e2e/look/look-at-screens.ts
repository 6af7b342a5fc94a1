import { mkdirSync } from "node:fs";
import type { Browser } from "playwright-core";

import { writeContactSheet, type Photograph } from "./contact-sheet.ts";
import { openFixturePages } from "./fixture-pages.ts";
import { ALL_TURNS, nameOfLook, type Turn } from "./looks.ts";
import { SCREENS } from "./screens.ts";
import { strayWords } from "./stray-words.ts";
import { walk } from "./walk.ts";

/** Which screens are looked at, and how. */
export interface Choice {
  /** Of screens; all when there is none. */
  readonly names: readonly string[];
  /** As "light-390"; all when there is none. */
  readonly looks: readonly string[];
  /** One of `packages/presentation/src/text/languages.ts`. */
  readonly language: string;
  /** The directory of the photographs. */
  readonly out: string;
}

/** Walks through the screens over the made-up world, photographs each look and prints what is wrong. @returns the number of findings */
export async function lookAtScreens(browser: Browser, { names, looks, language, out }: Choice): Promise<number> {
  const screens = names.length === 0 ? SCREENS : SCREENS.filter(({ name }) => names.includes(name));
  const turns = looks.length === 0 ? ALL_TURNS : ALL_TURNS.flatMap((turn) => wantedOf(turn, looks));
  mkdirSync(`${out}/sheets`, { recursive: true });

  const began = performance.now();
  const pages = await openFixturePages(language);
  const photographs = new Map<string, Photograph[]>();
  try {
    const found = await walk(browser, {
      address: pages.address,
      screens,
      turnsOf: () => turns,
      async seen(page, screen, look) {
        const name = nameOfLook(look);
        const file = `${out}/${screen.name}-${name}.png`;
        await page.screenshot({ path: file });
        photographs.set(screen.name, [...(photographs.get(screen.name) ?? []), { file, look: name }]);
        return language === "pseudo" ? strayWords(page) : [];
      },
      async left({ name }) {
        const desk = await browser.newPage();
        await writeContactSheet(desk, photographs.get(name) ?? [], `${out}/sheets/${name}.png`);
        await desk.close();
      },
    });
    const findings = Object.entries(found).flatMap(([where, each]) => each.map((finding) => `${where}: ${finding}`));
    for (const finding of findings) console.log(finding);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(
      `${screens.length} screens, ${turns.flat().length} looks each, ${findings.length} findings, ${seconds} s; sheets in ${out}/sheets`,
    );
    return findings.length;
  } finally {
    await pages.close();
  }
}

/** Of a turn the looks that are wanted; no turn when none is. */
function wantedOf(turn: Turn, looks: readonly string[]): readonly Turn[] {
  const [opened, ...others] = turn.filter((look) => looks.includes(nameOfLook(look)));
  return opened === undefined ? [] : [[opened, ...others]];
}
