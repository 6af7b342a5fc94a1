import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

test("R11: a log line escapes invisible characters, and is the same JSON", () => {
  const note = "a\u202Egnp.exe\u2066\u0000\u200B\u007F\u0085\u2028\u{E0041}z";
  const script = `
    const { createLogger } = await import(${JSON.stringify(join(import.meta.dirname, "logger.ts"))});
    createLogger("kas").info({ note: process.argv[1] }, "named");
  `;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script, note.replace("\0", "")], { encoding: "utf8" });
  expect(stderr.trimEnd()).toMatch(/^[ -~]+$/);
  expect(JSON.parse(stderr)).toMatchObject({ note: note.replace("\0", ""), msg: "named" });
});

test("security-3: a full disk under the log ends no process; what waited is written when there is room, and what was dropped is counted", () => {
  const directory = mkdtempSync(join(tmpdir(), "log-"));
  const file = join(directory, "log");
  const script = `
    import { closeSync, openSync } from "node:fs";
    // The lowest free descriptor is taken.
    const lead = (path) => { closeSync(2); openSync(path, "a"); };
    lead("/dev/full");
    const { createLogger } = await import(${JSON.stringify(join(import.meta.dirname, "logger.ts"))});
    const log = createLogger("kas");
    for (let nr = 0; nr < 2_000; nr += 1) log.info({ nr, text: "x".repeat(1_000) }, "line");
    lead(process.argv[1]);
    // Whatever came before, one line must find room in the buffer.
    log.info("last");
    setImmediate(() => log.info("more"));
  `;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", script, file]);
  const lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly nr?: number; readonly lines?: number; readonly msg: string });
  rmSync(directory, { recursive: true });
  expect(status).toBe(0);
  const written = lines.filter(({ msg }) => msg === "line");
  expect(written.map(({ nr }) => nr)).toEqual(written.keys().toArray());
  const dropped = lines.find((line) => line.lines !== undefined)?.lines ?? 0;
  expect(written.length + dropped).toBe(2_000);
  expect(dropped).toBeGreaterThan(0);
  expect(lines.map(({ msg }) => msg).filter((msg) => msg === "last" || msg === "more")).toEqual(["last", "more"]);
});
