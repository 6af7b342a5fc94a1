import { spawnSync } from "node:child_process";
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
