import { readdirSync } from "node:fs";
import { join } from "node:path";

import { defineConfig } from "@playwright/test";

import { leftOutOn, leftOutOnEmbeddedAll, withoutCluster, type Cluster } from "./support/one-cluster.ts";

const excluded = (process.env["E2E_EXCLUDE"] ?? "").split(",").filter((file) => file !== "");

const impossible = excluded.map((file) => `**/${file.split("/").at(-1)}`);

const specifications = readdirSync(join(import.meta.dirname, "tests")).filter((file) => file.endsWith(".spec.ts"));

/** Specifications on a cluster, without what this machine cannot run. */
const on = (name: string, cluster: Cluster, leftOut: readonly string[]) => ({
  name,
  testIgnore: [...impossible, ...leftOut],
  use: { cluster },
});

/** The engine without a window where the machine has it: it takes a quarter less of the processors. */
const browser = process.env["HEADLESS_SHELL_PATH"] ?? process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const launchOptions = {
  executablePath: browser,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** What asks for no cluster. */
const pages = { name: "pages", testMatch: [...withoutCluster()], testIgnore: impossible, use: { cluster: "embedded" as const } };

/**
 * Real processes, a real browser. Each specification is of one of the projects `real`, `embedded` and `pages`
 * (support/one-cluster.ts); `embedded-all` runs on the embedded cluster whatever it can. One worker, no retries.
 */
export default defineConfig<{ cluster: Cluster }>({
  testDir: "tests",
  outputDir: "../test-results",
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ...(process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"] === undefined ? [] : [["json"] as const])],
  use: {
    browserName: "chromium",
    // Tall, so that the whole demo is drawn: the graph mounts only what is in view.
    viewport: { width: 1440, height: 2600 },
    ignoreHTTPSErrors: false,
    // Where it cannot be opened afterwards it only takes time: a tenth to a third of a test.
    trace: process.env["CI"] === "true" ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions,
  },
  projects: [
    on("embedded", "embedded", leftOutOn("embedded", specifications)),
    on("real", "real", leftOutOn("real", specifications)),
    on("embedded-all", "embedded", leftOutOnEmbeddedAll()),
    pages,
  ],
});
