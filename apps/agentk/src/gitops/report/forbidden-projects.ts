import { SyncReporter, type SyncReporterOptions } from "./sync-reporter.ts";

/** What is needed to tell of them. */
interface ForbiddenProjectsOptions extends Omit<SyncReporterOptions, "project"> {
  readonly projects: readonly SyncReporterOptions["project"][];
}

/** Tells kas of all projects of an agent that it may not apply them, while that is so. */
export class ForbiddenProjects {
  readonly #reporters: readonly SyncReporter[];

  constructor({ projects, ...options }: ForbiddenProjectsOptions) {
    this.#reporters = projects.map((project) => new SyncReporter({ ...options, project }));
  }

  /** This is missing. */
  say(reason: string): void {
    for (const { status } of this.#reporters) status.forbidden(reason);
  }

  /** Tells until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reporters.map((reporter) => reporter.run(signal)));
  }
}
