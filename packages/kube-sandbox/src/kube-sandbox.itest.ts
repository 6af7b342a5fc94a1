// needs: control-plane
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane } from "@binnacle/control-plane";

import { tokenOf } from "./conformance/client.ts";
import { startKubeSandbox } from "./index.ts";
import { describeKubernetesApi } from "./kubernetes-api.conformance.ts";

function folder(): string {
  return mkdtempSync(join(tmpdir(), "kube-sandbox-"));
}

describeKubernetesApi("embedded", async () => {
  const sandbox = await startKubeSandbox({ dir: folder() });
  return { ...sandbox, token: sandbox.adminToken, ca: readFileSync(sandbox.caFile, "utf8") };
});

describeKubernetesApi("real control plane", async () => {
  const cluster = await startControlPlane({ dir: folder() });
  const kubeconfig = cluster.tokenKubeconfig;
  return {
    kubeconfig,
    server: cluster.server,
    ca: readFileSync(cluster.caFile, "utf8"),
    token: tokenOf(readFileSync(kubeconfig, "utf8")),
    stop: () => cluster.stop(),
  };
});
