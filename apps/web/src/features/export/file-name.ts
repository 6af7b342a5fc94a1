import type { ExportScope } from "./export-scope.ts";

/** So much of an environment's name: file systems allow 255 bytes for all of it. */
const MOST_CHARS = 80;

/** "production-graph-2026-11-24T18-39-19Z.svg": where, what and when, of signs that every file system takes. */
export function fileNameOf(
  { environment, subject, asOfMs }: Pick<ExportScope, "environment" | "subject" | "asOfMs">,
  extension: string,
): string {
  const where = environment
    .slice(0, MOST_CHARS)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  const at = new Date(asOfMs)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  return `${where === "" ? "environment" : where}-${subject}-${at}.${extension}`;
}
