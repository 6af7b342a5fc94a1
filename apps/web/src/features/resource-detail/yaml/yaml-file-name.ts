import type { ResourceRef } from "@binnacle/proto/dashboard";

/** `deployment-web.yaml`; whatever no system of files has in a name is a hyphen. */
export function yamlFileName({ kind, name }: Pick<ResourceRef, "kind" | "name">): string {
  return `${kind.toLowerCase()}-${name}`.replaceAll(/[^\w.-]/g, "-").slice(0, 200) + ".yaml";
}
