import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { SandboxDirectory } from "./sandbox-directory.ts";

test("the session keys outlive a restart, so that users need not sign in again; other secrets are new each time", () => {
  const path = mkdtempSync(join(tmpdir(), "sandbox-directory-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const run = (): { readonly keys: string; readonly other: string } => {
    const directory = new SandboxDirectory(path);
    const [keys, other] = [directory.keepSecret("session-keys"), directory.createSecret("api").file];
    expect(statSync(keys).mode & 0o777).toBe(0o600);
    const texts = { keys: readFileSync(keys, "utf8"), other: readFileSync(other, "utf8") };
    chmodSync(keys, 0o644);
    directory.release();
    return texts;
  };
  const [first, second] = [run(), run()];
  expect(Buffer.from(first.keys, "base64")).toHaveLength(32);
  expect(second.keys).toBe(first.keys);
  expect(second.other).not.toBe(first.other);
});
