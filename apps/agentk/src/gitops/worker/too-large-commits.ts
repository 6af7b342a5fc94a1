import { isFields, parseJson, textAt, type Fields } from "@binnacle/kube";

import type { ProjectOptions } from "./project-options.ts";

/** Annotation of the Lease: commits that were too large, by project. */
const TOO_LARGE = "gitops.binnacle/too-large";

/** A commit that was too large. */
export interface TooLargeCommit {
  readonly commitId: string;
  /** One sentence for people, without a file. */
  readonly reason: string;
  /** What it was read by: the same commit is tried again when this is another one. */
  readonly by: string;
}

/**
 * Commits that failed for their size, by project: they are not tried again until the commit, the limit or the globs change. They are kept in an
 * annotation of the Lease, so that neither a restart nor another replica tries them again.
 */
export class TooLargeCommits {
  #commits = new Map<string, TooLargeCommit>();

  /** The commit of a project that is not to be tried again with these options. */
  find(project: ProjectOptions): TooLargeCommit | undefined {
    const found = this.#commits.get(project.id);
    return found?.by === optionsOf(project) ? found : undefined;
  }

  add(project: ProjectOptions, commit: Omit<TooLargeCommit, "by">): void {
    this.#commits.set(project.id, { ...commit, by: optionsOf(project) });
  }

  delete(project: ProjectOptions): void {
    this.#commits.delete(project.id);
  }

  /** Takes over what stands in the annotations of the Lease. */
  load(annotations: Fields): void {
    const value = parseJson(textAt(annotations, TOO_LARGE));
    const entries = isFields(value) ? Object.entries(value) : [];
    this.#commits = new Map(
      entries.flatMap(([project, entry]) => {
        const commit = { commitId: textAt(entry, "commitId"), reason: textAt(entry, "reason"), by: textAt(entry, "by") };
        return commit.commitId === "" ? [] : [[project, commit]];
      }),
    );
  }

  /** What is to stand in the annotations of the Lease. */
  toAnnotations(): Readonly<Record<string, string>> {
    return { [TOO_LARGE]: JSON.stringify(Object.fromEntries(this.#commits)) };
  }

  /** Forgets projects that are configured no more. */
  keepOnly(projects: readonly ProjectOptions[]): void {
    const ids = new Set(projects.map(({ id }) => id));
    for (const id of this.#commits.keys()) if (!ids.has(id)) this.#commits.delete(id);
  }
}

function optionsOf({ maxObjects, globs }: ProjectOptions): string {
  return JSON.stringify([maxObjects, globs]);
}
