import { join } from "node:path";

import type { Logger } from "@binnacle/telemetry";

import { watchPushes } from "../gitaly/push-hook.ts";
import type { KasApi } from "../main-application/kas-api.ts";
import { notifyOfPush } from "../main-application/push-notifier.ts";
import type { Project } from "../main-application/world.ts";

/** Between which repositories and which kas. */
export interface PushesOptions {
  readonly gitRoot: string;
  readonly projects: readonly Project[];
  readonly kas: KasApi;
  readonly log: Logger;
  /** Called for every push, also for one that deletes a branch. */
  readonly pushed?: (project: Project) => void;
}

/** Notifies kas of every push to a project until it is closed. After a lost notification kas finds the push at its next poll. */
export function tellOfPushes({ gitRoot, projects, kas, log, pushed }: PushesOptions): { close(): void } {
  const watches = projects.map((project) =>
    watchPushes(join(gitRoot, `${project.fullPath}.git`), () => {
      pushed?.(project);
      notifyOfPush(kas, project).catch((error: unknown) =>
        log.warn({ error, project: project.fullPath }, "kas was not notified of a push"),
      );
    }),
  );
  return { close: () => watches.forEach((watch) => watch.close()) };
}
