import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test, vi } from "vitest";

import { runGit } from "./git-command.ts";
import { installPushHook, watchPushes } from "./push-hook.ts";

const root = mkdtempSync(join(tmpdir(), "push-hook-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("every push is heard once the refs are moved, a deleted branch too, and none after the watch is closed", async () => {
  const bare = join(root, "bare.git");
  const work = join(root, "work");
  await runGit(["init", "-q", "--bare", "-b", "main", bare], { dir: root });
  await installPushHook(bare);
  await runGit(["clone", "-q", bare, work], { dir: root });
  const commit = () =>
    runGit(["-c", "user.name=t", "-c", "user.email=t@example.test", "commit", "-q", "--allow-empty", "-m", "one"], { dir: work });
  const heard = vi.fn<() => void>();
  const watching = watchPushes(bare, heard);

  await commit();
  await runGit(["push", "-q", "origin", "HEAD:main", "HEAD:review/a"], { dir: work });
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  heard.mockClear();
  await runGit(["push", "-q", "origin", ":review/a"], { dir: work });
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());

  watching.close();
  heard.mockClear();
  await commit();
  await runGit(["push", "-q", "origin", "HEAD:main"], { dir: work });
  const again = watchPushes(bare, heard);
  await commit();
  await runGit(["push", "-q", "origin", "HEAD:main"], { dir: work });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
  again.close();
});
