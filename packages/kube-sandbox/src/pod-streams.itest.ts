// needs: control-plane
import { mkdtempSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { KubeletServer, serveControlPlane } from "@binnacle/kubelet-stand-in";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { tokenOf, type ApiUnderTest } from "./conformance/client.ts";
import { startKubeSandbox } from "./index.ts";
import { describePodStreams } from "./pod-streams.conformance.ts";

function folder(): string {
  return mkdtempSync(join(tmpdir(), "pod-streams-"));
}

function underTest(cluster: ControlPlane, stop: () => Promise<void>): ApiUnderTest {
  const kubeconfig = cluster.tokenKubeconfig;
  const token = tokenOf(readFileSync(kubeconfig, "utf8"));
  return { kubeconfig, server: cluster.server, ca: readFileSync(cluster.caFile, "utf8"), token, stop };
}

describePodStreams(
  "embedded",
  async () => {
    const sandbox = await startKubeSandbox({ dir: folder() });
    return { ...sandbox, token: sandbox.adminToken, ca: readFileSync(sandbox.caFile, "utf8") };
  },
  "everything",
);

describePodStreams(
  "real control plane with the kubelet stand-in",
  async () => {
    const kubelet = await KubeletServer.listen();
    const cluster = await startControlPlane({ dir: folder(), nodes: 1, kubeletPort: kubelet.port });
    const close = serveControlPlane(kubelet, cluster);
    return underTest(cluster, async () => {
      close();
      await cluster.stop();
      await kubelet.stop();
    });
  },
  "everything",
);

describePodStreams(
  "real control plane with kwok's own server",
  async () => {
    const cluster = await startControlPlane({ dir: folder(), nodes: 1, exec: true });
    return underTest(cluster, () => cluster.stop());
  },
  "remote commands",
);

describe("the kubelet stand-in as a server", () => {
  let cluster: ControlPlane;
  let kubelet: KubeletServer;
  let close: () => void;

  beforeAll(async () => {
    kubelet = await KubeletServer.listen();
    cluster = await startControlPlane({ dir: folder(), apiServerOnly: true });
    close = serveControlPlane(kubelet, cluster);
  });
  afterAll(async () => {
    close();
    await kubelet.stop();
    await cluster.stop();
  });

  function get(path: string, identity?: string): Promise<number | undefined> {
    const file = (name: string): string => readFileSync(join(cluster.caFile, "..", name), "utf8");
    const keys = identity === undefined ? {} : { cert: file(`${identity}.crt`), key: file(`${identity}.key`) };
    return new Promise((resolve, reject) => {
      const outgoing = request(`https://127.0.0.1:${kubelet.port}${path}`, { ca: file("ca.crt"), agent: false, ...keys }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.once("error", reject);
      outgoing.end();
    });
  }

  test("answers the API server's certificate only", async () => {
    expect(await get("/healthz", "apiserver-kubelet")).toBe(200);
    await expect(get("/healthz")).rejects.toThrow(/certificate|reset|hang up/);
    // Signed by the same authority, and an administrator.
    expect(await get("/healthz", "admin")).toBe(403);
  });

  test.each([
    ["/", 404],
    ["/pods", 404],
    ["/containerLogs/default/none/web", 404],
    ["/containerLogs/%E0%A4%A/none/web", 400],
    ["/exec/default/none/web?command=true", 400],
    ["/exec/a/b/c/d/e/f", 404],
  ])("answers %s with %i", async (path, code) => {
    expect(await get(path, "apiserver-kubelet")).toBe(code);
  });
});
