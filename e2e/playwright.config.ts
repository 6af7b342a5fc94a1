import { defineConfig } from "@playwright/test";

import { leftOutOn, withoutCluster, type Cluster } from "./support/one-cluster.ts";

const excluded = (process.env["E2E_EXCLUDE"] ?? "").split(",").filter((file) => file !== "");

const impossible = excluded.map((file) => `**/${file.split("/").at(-1)}`);

/** A project, and what it leaves out: what this machine cannot run, and what only the other cluster has a say in. */
const on = (cluster: Cluster) => ({ name: cluster, testIgnore: [...impossible, ...leftOutOn(cluster)], use: { cluster } });

/** What asks for no cluster. */
const pages = { name: "pages", testMatch: [...withoutCluster()], testIgnore: impossible, use: { cluster: "embedded" as const } };

/**
 * Real processes, a real browser. Two projects run the same specifications on the embedded cluster and on a real control plane, but for
 * those of support/one-cluster.ts, of which a third has those that ask for none. One worker, no retries: a test that needs a second try is a failure.
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
    // Where nobody can open it afterwards it only takes time: a tenth to a third of a test.
    trace: process.env["CI"] === "true" ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [on("embedded"), on("real"), pages],
});
