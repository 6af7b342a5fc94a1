import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { BrowserContext, Page } from "@playwright/test";

import type { Part } from "./browser-traffic.ts";

/** What scripts of the page can see and keep. */
export async function storageOf(page: Page, context: BrowserContext): Promise<Part> {
  const { origins } = await context.storageState({ indexedDB: true });
  const seen = await page.evaluate(
    () => `${JSON.stringify(Object.entries(sessionStorage))} ${document.cookie} ${document.documentElement.outerHTML}`,
  );
  return { where: "storage", text: `${JSON.stringify(origins)} ${seen}` };
}

/** What programs have printed into the files of a directory. */
export function logsIn(directory: string): readonly Part[] {
  return readdirSync(directory).map((name) => ({ where: `log ${name}`, text: readFileSync(join(directory, name), "utf8") }));
}

/** The metrics of programs. @param urls of their observability listeners, by the program's name */
export async function metricsOf(urls: readonly (readonly [program: string, url: string])[]): Promise<readonly Part[]> {
  return Promise.all(
    urls.map(async ([program, url]) => {
      const answer = await fetch(new URL("/metrics", url));
      if (!answer.ok) throw new Error(`the metrics of ${program} are answered ${answer.status}`);
      return { where: `metrics of ${program}`, text: await answer.text() };
    }),
  );
}
