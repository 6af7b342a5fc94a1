import type { ManifestPlace } from "@binnacle/proto/dashboard";

/** Where a manifest stands, "deploy/web.yaml:31". */
export function placeWords({ path, line }: Pick<ManifestPlace, "path" | "line">): string {
  return line === 0 ? path : `${path}:${line}`;
}
