import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { expect, onTestFinished, test, vi } from "vitest";

import { digestOf } from "../config/follow-files.ts";
import { openSessionKeys } from "./web-sessions.ts";
import { parseSessionKeys } from "../config/session-keys.ts";

/** A log, and what it was warned of. */
function warnedLog(): { readonly log: ReturnType<typeof createLogger>; readonly warnings: string[] } {
  const log = createLogger("web", "silent");
  const warnings: string[] = [];
  const spy = vi.spyOn(log, "warn").mockImplementation((_fields: unknown, message?: string) => void warnings.push(message ?? ""));
  onTestFinished(() => spy.mockRestore());
  return { log, warnings };
}

test("without a file two processes have keys of their own, and each says so once", () => {
  const clock = new ManualClock();
  const { log, warnings } = warnedLog();
  const [one, other] = [openSessionKeys(undefined, { clock, log }), openSessionKeys(undefined, { clock, log })];
  expect(one.ring.sealing.id).not.toBe(other.ring.sealing.id);
  expect(one.ring.find(other.ring.sealing.id)).toBeUndefined();
  expect(warnings).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("there is no session key file")));
  clock.assertIdle();
});

test.each([
  [0o600, []],
  [0o644, [expect.stringContaining("others can read a file with a secret")]],
])("a file with mode %o is used, with the warnings that it earns", (mode, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "session-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "keys");
  const text = `${Buffer.alloc(32, 7).toString("base64")}\n`;
  writeFileSync(file, text, { mode });
  const clock = new ManualClock();
  const { log, warnings } = warnedLog();
  const content = parseSessionKeys(text);
  const keys = openSessionKeys({ file, content, digest: digestOf(text) }, { clock, log });
  expect(keys.ring.sealing).toBe(content[0]);
  expect(warnings).toEqual(expected);
  keys.close();
  clock.assertIdle();
});
