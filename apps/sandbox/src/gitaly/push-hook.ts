import { chmodSync, mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runGit } from "./git-command.ts";

/** Grows by a line for every ref that is pushed: old id, new id, name. */
const PUSHES = "pushes";

/** Has a bare repository note every push. */
export async function installPushHook(bare: string): Promise<void> {
  writeFileSync(join(bare, PUSHES), "");
  mkdirSync(join(bare, "hooks"), { recursive: true });
  const hook = join(bare, "hooks", "post-receive");
  writeFileSync(hook, `#!/bin/sh\nexec cat >> ${PUSHES}\n`);
  chmodSync(hook, 0o755);
  // The user who pushes may have global hooks for all repositories.
  await runGit(["config", "core.hooksPath", "hooks"], { dir: bare });
}

/** Calls back after each push to a repository with the hook, until it is closed; once for several that come together. */
export function watchPushes(bare: string, pushed: () => void): { close(): void } {
  let soon: NodeJS.Immediate | undefined;
  const watcher = watch(join(bare, PUSHES), () => {
    soon ??= setImmediate(() => {
      soon = undefined;
      pushed();
    });
  });
  // A repository that is deleted is pushed to no more.
  watcher.on("error", () => watcher.close());
  return {
    close() {
      watcher.close();
      if (soon) clearImmediate(soon);
    },
  };
}
