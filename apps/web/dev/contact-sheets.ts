// Photographs every group of `/dev/components`, light beside dark, as pages are being written: `npx node dev/contact-sheets.ts [directory]
// [group,…]`. Exits with 1 when axe finds something, or the page says something on its console.
import { AxeBuilder } from "@axe-core/playwright";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";

/** Rules about a part of a page; rules about whole pages are checked on the pages. */
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const directory = process.argv[2] ?? "test-results/components";
mkdirSync(directory, { recursive: true });
const server = startServer();
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
});
let findings = 0;
try {
  const base = await addressOf();
  const context = await browser.newContext({ viewport: { width: 1800, height: 1000 }, baseURL: base });
  const page = await context.newPage();
  page.on("pageerror", (error) => report(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && report(`console: ${message.text()}`));
  for (const group of process.argv[3]?.split(",") ?? (await groupsOf(page))) {
    await show(page, `group=${group}`);
    await page.screenshot({ path: `${directory}/${group}.png`, fullPage: true });
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
    for (const { id, nodes } of violations)
      for (const node of nodes) report(`${group}: ${id} ${node.target.join(" ")} ${node.failureSummary ?? ""}`);
  }
} finally {
  await browser.close();
  server.kill();
}
console.log(`${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;

function report(finding: string): void {
  findings += 1;
  console.log(finding);
}

async function groupsOf(page: Page): Promise<readonly string[]> {
  await show(page, "group=none");
  return (await page.locator("main").getAttribute("data-groups"))?.split(" ") ?? [];
}

/** What stands open is fetched when it is first shown. */
async function show(page: Page, query: string): Promise<void> {
  await page.goto(`/dev/components?${query}`, { timeout: 120_000 });
  await page.locator("main[data-groups]").waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
}

function startServer() {
  const script = fileURLToPath(new URL("fixture-server.ts", import.meta.url));
  return spawn(process.execPath, [script, "--dev"], { stdio: ["ignore", "pipe", "inherit"] });
}

async function addressOf(): Promise<string> {
  for (;;) {
    const [chunk]: unknown[] = await once(server.stdout, "data");
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0];
    if (found !== undefined) return found;
  }
}
