import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { pick } from "./endpoints.ts";
import type { OwnEnvironment } from "./fixtures.ts";
import { kubectl } from "./kubectl.ts";
import type { ManifestClone } from "./manifest-clone.ts";
import type { Sandbox } from "./sandbox.ts";

const MANIFESTS = join(import.meta.dirname, "..", "..", "apps", "sandbox", "demo", "manifests");
/** As the sandbox does. */
const APPLY = ["apply", "--server-side", "--field-manager=binnacle-sandbox"];

/** Applies the workloads of the demo's environment `staging` to the namespace, and waits until Deployment web is ready. */
export async function applyStaging({ endpoints }: Sandbox, environment: OwnEnvironment): Promise<void> {
  const { cluster } = endpoints.kubeconfigs;
  // Without its custom resource, whose status the sandbox writes.
  const texts = manifestsOf("staging", environment).filter(({ file }) => file !== "50-release.yaml");
  await kubectl(cluster, [...APPLY, "-f", "-"], texts.map(({ text }) => text).join("---\n"));
  await kubectl(cluster, ["-n", environment, "rollout", "status", "deployment/web", "--timeout=120s"]);
}

/** Writes the manifests of the demo's environment `production` into a clone of the environment's project, which is to be pushed. */
export function writeProduction(
  clone: ManifestClone,
  { folder, environment }: { readonly folder: string; readonly environment: OwnEnvironment },
): void {
  // Without the database: the only volume of the cluster belongs to that of production.
  for (const { file, text } of manifestsOf("production", environment))
    if (file !== "40-database.yaml") clone.write(`${folder}/${file}`, text);
}

/** Gives members of group/app the rights of the demo again. @param added roles and bindings that go, as `kind/name` */
export async function restoreAccess({ endpoints }: Sandbox, added: readonly string[]): Promise<void> {
  const { cluster } = endpoints.kubeconfigs;
  await kubectl(cluster, ["delete", "--ignore-not-found", ...added]);
  await kubectl(cluster, [...APPLY, "-f", join(MANIFESTS, "cluster", "30-access.yaml")]);
}

/** Path of the bare repository that the environment is deployed from. */
export function repositoryOf(sandbox: Sandbox, environment: string): string {
  return pick(sandbox.endpoints.manifestProjects, (each) => each.environment === environment).repository;
}

function manifestsOf(directory: string, namespace: string): readonly { readonly file: string; readonly text: string }[] {
  return globSync("*.yaml", { cwd: join(MANIFESTS, directory) })
    .sort()
    .map((file) => {
      const text = readFileSync(join(MANIFESTS, directory, file), "utf8");
      return { file, text: text.replaceAll(`namespace: ${directory}`, `namespace: ${namespace}`) };
    });
}
