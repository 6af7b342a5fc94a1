import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of the programs that is on PATH, as an absolute path. */
export function findExecutable(...names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
