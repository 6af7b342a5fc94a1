// Photographs every state of every page over the fixture server and lets axe look at it: `npx node dev/look.ts [directory] [name,…]`.
// Exits with 1 when axe finds something.
import { AxeBuilder } from "@axe-core/playwright";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";

const ENVIRONMENTS = "/p/harbor/storefront/environments";
const SELECTED = "sel=apps/deployments/shop-prod/checkout";
const PAGES: Readonly<Record<string, string>> = {
  projects: "/",
  "sign-in": "/sign-in",
  "not-found": "/p/x",
  index: ENVIRONMENTS,
  "index-many": "/p/harbor/many/environments",
  "index-empty": "/p/empty/project/environments",
  graph: `${ENVIRONMENTS}/production?view=graph`,
  "graph-problems": `${ENVIRONMENTS}/production?view=graph&problems=1`,
  "graph-search": `${ENVIRONMENTS}/production?view=graph&q=payments`,
  "graph-5000": `${ENVIRONMENTS}/load-5000?view=graph`,
  tree: `${ENVIRONMENTS}/production?view=graph&as=tree`,
  drawer: `${ENVIRONMENTS}/production?view=graph&${SELECTED}`,
  "drawer-notice": `${ENVIRONMENTS}/production?view=graph&sel=core/services/shop-prod/legacy-bridge`,
  "drawer-rule": `${ENVIRONMENTS}/production?view=graph&sel=example.com/widgets/shop-prod/blue`,
  "drawer-pod": `${ENVIRONMENTS}/production?view=graph&sel=core/pods/shop-prod/checkout-7c9f8d-x2lq4`,
  "relations-refused": `${ENVIRONMENTS}/production?view=graph&sel=core/services/shop-prod/legacy-bridge&tab=relations`,
  "drawer-because": `${ENVIRONMENTS}/production?view=graph&sel=example.com/widgets/shop-prod/red`,
  "relations-shares": `${ENVIRONMENTS}/production?view=graph&sel=gateway.networking.k8s.io/httproutes/shop-prod/split&tab=relations`,
  "relations-port": `${ENVIRONMENTS}/production?view=graph&sel=networking.k8s.io/ingresses/shop-prod/admin&tab=relations`,
  "relations-endpoints": `${ENVIRONMENTS}/production?view=graph&sel=core/services/shop-prod/session-store&tab=relations`,
  relations: `${ENVIRONMENTS}/production?view=graph&${SELECTED}&tab=relations`,
  yaml: `${ENVIRONMENTS}/production?view=list&${SELECTED}&tab=yaml`,
  events: `${ENVIRONMENTS}/production?view=list&${SELECTED}&tab=events`,
  summary: `${ENVIRONMENTS}/production?view=summary`,
  gitops: `${ENVIRONMENTS}/gitops?view=summary`,
  "gitops-failed": `${ENVIRONMENTS}/gitops-failed?view=summary`,
  "gitops-drifted": `${ENVIRONMENTS}/gitops-drifted?view=summary`,
  "gitops-gone": `${ENVIRONMENTS}/gitops-gone?view=summary`,
  "gitops-old": `${ENVIRONMENTS}/gitops-old?view=summary`,
  manifest: `${ENVIRONMENTS}/gitops-drifted?view=list&sel=core/services/shop-prod/legacy-bridge&tab=manifest`,
  list: `${ENVIRONMENTS}/production?view=list`,
  "list-groups": `${ENVIRONMENTS}/production?view=list&group=kind`,
  "list-nothing": `${ENVIRONMENTS}/production?view=list&q=zzzz`,
  "events-view": `${ENVIRONMENTS}/production?view=events`,
  "events-view-drawer": `${ENVIRONMENTS}/production?view=events&${SELECTED}&tab=events`,
  "events-view-warnings": `${ENVIRONMENTS}/production?view=events&type=Warning&order=warnings`,
  "events-view-nothing": `${ENVIRONMENTS}/production?view=events&q=zzzz`,
  "events-view-none": `${ENVIRONMENTS}/events-none?view=events`,
  "events-view-forbidden": `${ENVIRONMENTS}/events-forbidden?view=events`,
  "events-view-partial": `${ENVIRONMENTS}/events-partial?view=events`,
  "events-view-500": `${ENVIRONMENTS}/load-500?view=events`,
  loading: `${ENVIRONMENTS}/loading`,
  empty: `${ENVIRONMENTS}/empty`,
  forbidden: `${ENVIRONMENTS}/payments-vault`,
  "no-agent": `${ENVIRONMENTS}/docs`,
  nowhere: `${ENVIRONMENTS}/nowhere`,
  offline: `${ENVIRONMENTS}/offline`,
  "offline-summary": `${ENVIRONMENTS}/offline?view=summary`,
  menu: `${ENVIRONMENTS}/payments-vault`,
  keyboard: `${ENVIRONMENTS}/production?view=summary`,
  access: `${ENVIRONMENTS}/production?view=summary`,
  misconfigured: `${ENVIRONMENTS}/misconfigured?view=summary`,
};
/** What is opened by a button: its name. */
const CLICKS: Readonly<Record<string, string>> = { menu: "Mara Lindqvist", keyboard: "Keyboard help", access: "Access Partial" };
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const directory = process.argv[2] ?? "test-results/look";
const names = process.argv[3]?.split(",") ?? Object.keys(PAGES);
mkdirSync(directory, { recursive: true });
const server = spawn(process.execPath, [fileURLToPath(new URL("fixture-server.ts", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await chromium.launch({ executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium", args: FLAGS });
let findings = 0;
try {
  const base = await addressOf();
  for (const scheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: scheme, baseURL: base });
    for (const name of names) {
      const page = await context.newPage();
      page.on("pageerror", (error) => console.log(`${name}: ${error.message}`));
      await page.goto(PAGES[name] ?? "/", { waitUntil: "load" });
      const click = CLICKS[name];
      if (click !== undefined) await page.getByRole("button", { name: click }).click();
      await page.waitForTimeout(1500); // photographs want the fonts and the first layout, nothing asserts on this
      await page.screenshot({ path: `${directory}/${name}-${scheme}.png` });
      findings += await axe(page, `${name} ${scheme}`);
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  server.kill();
}
console.log(`${names.length * 2} pages, ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;

async function addressOf(): Promise<string> {
  for (;;) {
    const [chunk]: unknown[] = await once(server.stdout, "data");
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0];
    if (found !== undefined) return found;
  }
}

async function axe(page: Page, label: string): Promise<number> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  for (const violation of violations) {
    console.log(
      `${label}: ${violation.id} (${violation.impact}) ${violation.nodes
        .map((node) => node.target.join(" "))
        .slice(0, 3)
        .join(" | ")}`,
    );
  }
  return violations.length;
}
