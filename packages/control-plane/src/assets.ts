import { accessSync, constants } from "node:fs";
import { join } from "node:path";

import { Fault } from "@binnacle/rpc";

const PROGRAMS = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kwok"];

/**
 * The directory with the control plane's programs.
 *
 * @param assets directory; `KUBEBUILDER_ASSETS` when absent (the convention of the envtest family)
 * @throws Fault `configuration_invalid` with what is missing and what to set
 */
export function findAssets(assets: string | undefined = process.env["KUBEBUILDER_ASSETS"]): string {
  if (assets === undefined || assets === "") {
    throw new Fault(
      "configuration_invalid",
      `a real control plane needs its programs (${PROGRAMS.join(", ")}): set KUBEBUILDER_ASSETS to the directory that holds them (packages/control-plane/scripts/build.sh DIR builds them)`,
    );
  }
  const missing = PROGRAMS.filter((name) => !isExecutable(join(assets, name)));
  if (missing.length > 0) {
    throw new Fault("configuration_invalid", `KUBEBUILDER_ASSETS=${assets} lacks ${missing.join(", ")}`);
  }
  return assets;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
