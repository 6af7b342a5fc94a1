import type { ProjectOptions } from "../worker/project-options.ts";
import { ProjectStatus } from "./project-status.ts";
import { SyncReporter, type SyncReporterOptions } from "./sync-reporter.ts";

/** What is needed to tell of them. */
interface ForbiddenProjectsOptions extends Omit<SyncReporterOptions, "project"> {
  readonly projects: readonly ProjectOptions[];
}

/** Tells kas of all projects of an agent that it may not apply them, while that is so. */
export class ForbiddenProjects {
  readonly #projects: readonly { readonly status: ProjectStatus; readonly reporter: SyncReporter }[];

  constructor({ projects, ...options }: ForbiddenProjectsOptions) {
    this.#projects = projects.map((project) => {
      const reporter = new SyncReporter({ ...options, project });
      const { defaultNamespace } = project;
      return { reporter, status: new ProjectStatus({ clock: options.clock, defaultNamespace, changed: () => reporter.wake() }) };
    });
  }

  /** This is missing. */
  say(reason: string): void {
    for (const { status } of this.#projects) status.forbidden(reason);
  }

  /** Tells until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#projects.map(({ status, reporter }) => reporter.run(() => status.now, signal)));
  }
}
