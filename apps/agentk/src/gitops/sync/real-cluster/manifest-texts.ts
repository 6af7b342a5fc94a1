import type { Commit } from "../commit.ts";
import type { SyncReport } from "../sync-report.ts";

/** The manifest of a ConfigMap, five lines and what is added. */
export const map = (name: string, over = ""): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${over}`;

/** Manifests of ConfigMaps, as the documents of one file. */
export const maps = (...names: string[]): string => names.map((name) => map(name)).join("---\n");

/** A commit of one file. */
export function commit(text: string, commitId = "c1"): Commit {
  return { commitId, projectId: 7n, files: [{ source: "all.yaml", data: Buffer.from(text) }] };
}

/** What became of each object: "name outcome". */
export const outcomes = (report: SyncReport): string[] => report.results.map(({ key, outcome }) => `${key.name} ${outcome}`).toSorted();

/** Where and why objects were not applied: "name file:line reason", with the line of the field where one is named. */
export const failures = (report: SyncReport): string[] =>
  report.results
    .filter(({ outcome }) => outcome === "failed" || outcome === "drifted")
    .map(({ key, reason, source, line, fieldLine }) => `${key.name} ${source}:${fieldLine || line} ${reason}`);
