import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Manifest } from "./published-manifest.ts";

/** A package of the workspace that is meant to be published. */
export interface WorkspacePackage {
  /** Its folder, absolute. */
  readonly directory: string;
  readonly manifest: Manifest;
}

/** The packages of the workspace whose manifest has a `publishConfig`, sorted by folder. @param root of the repository */
export function publishablePackagesOf(root: string): readonly WorkspacePackage[] {
  const files = globSync("packages/*/package.json", { cwd: root }).toSorted();
  const packages = files.map((file) => ({ directory: dirname(join(root, file)), manifest: manifestOf(join(root, file)) }));
  return packages.filter(({ manifest }) => manifest.publishConfig !== undefined);
}

/** @param file a `package.json` */
export function manifestOf(file: string): Manifest {
  // npm has read it before us: who has a name and a version.
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}
