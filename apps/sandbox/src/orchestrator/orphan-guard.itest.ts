import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

test("when the sandbox is killed, its processes are ended", async () => {
  const dir = mkdtempSync(join(tmpdir(), "guard-"));
  const pidsFile = join(dir, "pids");
  const victim = spawn("sleep", ["600"], { stdio: "ignore" });
  const ended = new Promise<string | null>((resolve) => {
    victim.once("exit", (_code, signal) => resolve(signal));
  });
  const script = `import { OrphanGuard } from ${JSON.stringify(join(import.meta.dirname, "orphan-guard.ts"))};
    new OrphanGuard(${JSON.stringify(pidsFile)}, "").note("victim", ${victim.pid});
    process.kill(process.pid, "SIGKILL");`;
  spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  try {
    expect(await ended).toBe("SIGTERM");
    await expect.poll(() => existsSync(pidsFile)).toBe(false);
  } finally {
    victim.kill("SIGKILL");
    rmSync(dir, { recursive: true });
  }
});
