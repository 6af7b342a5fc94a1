import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { PHASE_PRODUCTION_SERVER } from "next/constants.js";
import type loadConfig from "next/dist/server/config.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { readNextSettings } from "./open-pages.ts";

/** Next's own module, as its server has it. */
const next = createRequire(import.meta.url)("next/dist/server/config.js") as { readonly default: typeof loadConfig };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "settings-"));
  mkdirSync(join(directory, ".next"));
  writeFileSync(join(directory, ".next", "required-server-files.json"), JSON.stringify({ config: { basePath: "/one" } }));
});
afterEach(() => {
  delete process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"];
  rmSync(directory, { recursive: true });
  vi.restoreAllMocks();
});

/** What Next prints when its server reads the settings as it does at the start. */
async function printedAtStart(): Promise<readonly unknown[]> {
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const settings = await next.default(PHASE_PRODUCTION_SERVER, directory, { silent: false });
  expect(settings.basePath).toBe("/one");
  return printed.mock.calls;
}

test("Next prints no line of its own between our JSON lines, because it has read the settings before", async () => {
  await readNextSettings(directory);
  expect(await printedAtStart()).toEqual([]);
});

test("without that it prints one, so that this is still needed", async () => {
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = JSON.stringify({ basePath: "/one" });
  expect(await printedAtStart()).toHaveLength(1);
});
