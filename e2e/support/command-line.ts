import { execFile } from "node:child_process";
import { join } from "node:path";

import { expect, type Page } from "@playwright/test";

import { pick } from "./endpoints.ts";
import type { Sandbox } from "./sandbox.ts";

const MAIN = join(import.meta.dirname, "..", "..", "apps", "cli", "src", "main.ts");

/** Of a longer sentence the page shows the beginning, and a button for the rest. */
const SHOWN_CHARS = 200;

/** What one call of `binnacle` has written, and its exit code. */
interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly notes: string;
}

/** What `binnacle why -o json` says of an environment, as far as pages say it too. */
interface WhyDocument {
  readonly sentence: string;
  readonly issues: readonly { readonly title: string; readonly message: string; readonly next: string }[];
}

/** Calls `binnacle` at the dashboard of a sandbox, with a user's personal access token. */
export function binnacle(sandbox: Sandbox, args: readonly string[], username = "maintainer"): Promise<CommandResult> {
  const { dashboard, users } = sandbox.endpoints;
  const { personalAccessToken } = pick(users, (user) => user.username === username);
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: join(import.meta.dirname, "none"),
    BINNACLE_URL: dashboard,
    BINNACLE_TOKEN: personalAccessToken,
    BINNACLE_PROJECT: "group/app",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env, maxBuffer: 64 * 1024 * 1024 }, (error, output, notes) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, notes });
    });
  });
}

/**
 * Expects the command line to say of an environment what its summary says: the headline, and of each issue the title, the sentence and the next
 * step, in JSON, as text and in the table.
 */
export async function expectSameSentences(
  page: Page,
  sandbox: Sandbox,
  { name, summary }: { readonly name: string; readonly summary: string },
): Promise<void> {
  await page.goto(summary);
  const issues = page.locator("[data-why]");
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  const more = page.getByRole("region", { name: "Why" }).getByRole("button", { name: /^Show \d+ more issues?$/ });
  await expect
    .poll(
      async () => {
        // It comes with the issues, and goes when the others are there.
        if (await more.isVisible()) await more.click();
        const written = JSON.parse((await binnacle(sandbox, ["why", name, "-o", "json"])).output) as WhyDocument;
        const titles = await issues.locator("h4").allTextContents();
        const texts = await issues.allTextContents();
        const headlines = (await page.getByRole("heading", { level: 2 }).allTextContents()).map((text) => text.trim());
        return {
          headline: headlines.includes(written.sentence) ? "" : [written.sentence, ...headlines],
          titles:
            JSON.stringify(titles) === JSON.stringify(written.issues.map(({ title }) => title))
              ? ""
              : [written.issues.map(({ title }) => title), titles],
          missing: written.issues.flatMap(({ message, next }, index) =>
            [message, next].filter((text) => !(texts[index] ?? "").includes(text.slice(0, SHOWN_CHARS))),
          ),
        };
      },
      { timeout: 60_000 },
    )
    .toEqual({ headline: "", titles: "", missing: [] });
  const text = (await binnacle(sandbox, ["why", name])).output;
  const table = (await binnacle(sandbox, ["status", name])).output;
  const { sentence, issues: all } = JSON.parse((await binnacle(sandbox, ["status", name, "-o", "json"])).output) as WhyDocument;
  expect([text.split("\n")[0], table.split("\n")[0]]).toEqual([sentence, sentence]);
  for (const { title, message, next } of all) for (const each of [title, message, next]) expect(text).toContain(each);
}
