/** Ids of git commits, whole. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A revision of Flux that was taken from git: `main@sha1:<commit>`, `sha1:<commit>`, and `main/<commit>` before Flux 2. */
const FLUX = /^(?:.{0,250}[@])?sha1:([0-9a-f]{40})$/;
const OLD_FLUX = /^.{0,250}\/([0-9a-f]{40})$/;

/** The text when it is the whole id of a git commit; else empty: branches, tags and versions of charts are none. */
export function commitOf(text: string): string {
  return COMMIT.test(text) ? text : "";
}

/** The commit in a revision as Flux writes it; empty for a digest (`latest@sha256:…`), which names an artifact and no commit. */
export function fluxCommitOf(revision: string): string {
  return FLUX.exec(revision)?.[1] ?? OLD_FLUX.exec(revision)?.[1] ?? (revision.length === 40 ? commitOf(revision) : "");
}
