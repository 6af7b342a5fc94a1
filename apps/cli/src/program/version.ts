import { readFileSync } from "node:fs";

declare const BINNACLE_VERSION: string | undefined;

/** Of the package: put in by the bundler, which has no file to read it from later. */
export const VERSION: string = typeof BINNACLE_VERSION === "string" ? BINNACLE_VERSION : versionOfPackage();

function versionOfPackage(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
