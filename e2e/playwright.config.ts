import { defineConfig } from "@playwright/test";

const excluded = (process.env["E2E_EXCLUDE"] ?? "").split(",").filter((file) => file !== "");

/**
 * Real processes, a real browser. The two projects run the same specifications: on the embedded cluster and on a real control plane.
 * One worker, no retries: a test that needs a second try is a failure.
 */
export default defineConfig<{ cluster: "embedded" | "real" }>({
  testDir: "tests",
  outputDir: "../test-results",
  testIgnore: excluded.map((file) => `**/${file.split("/").at(-1)}`),
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
    trace: "retain-on-failure",
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
  projects: [
    { name: "embedded", use: { cluster: "embedded" } },
    { name: "real", use: { cluster: "real" } },
  ],
});
