// needs: control-plane
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { KubeletServer, serveControlPlane } from "@binnacle/kubelet-stand-in";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { ExcludedCases } from "./conformance/case-list.ts";
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

const EXIT_CODES = "it answers an exit code with a Status of its own (InternalError)";
const END_OF_INPUT = "it does not pass the end of the input on, so the program and kubectl wait for ever";
const ONE_LOG = "every container has the same fixed log file";

/** What kwok 0.8 does not do. */
const NOT_KWOK: ExcludedCases = {
  "gets output, errors and the exit code": EXIT_CODES,
  "sends its input to the end": END_OF_INPUT,
  "copies a file in and out, byte for byte": END_OF_INPUT,
  "gets its streams on their channels and a Status": EXIT_CODES,
  "has a terminal with echo, size and ^C": "the end of a terminal and its exit code do not arrive, and sizes are not passed on",
  "a client of v5 ends its input with the close signal": END_OF_INPUT,
  "the client library for JavaScript gets output, input and the exit code": EXIT_CODES,
  "without a shell fail with the runtime's words and code 127; those of busybox have no bash": "images are not simulated",
  "shows new lines of the log": "attach shows nothing",
  "reaches a shell in a container that has its standard input open": "attach shows nothing",
  "followed are complete: every line is the one that a pure function gives": ONE_LOG,
  "have timestamps of nine digits, a tail, and a beginning with the precision of a second": ONE_LOG,
  "of a run that never was, or of a container that is not there, are answered with 400 and a sentence": ONE_LOG,
  "run once they are added, and end with the shell that kubectl debug attaches to": "debug attaches to the fixed log",
  "passes the end of one side on while the other side is read to its end": "port-forward does not pass the end of one side on",
  "reaches the container's own port": "port-forward reaches one configured target, which is no container",
  "names a port without a listener": "port-forward reaches one configured target, whatever the port",
};

describePodStreams("embedded", async () => {
  const sandbox = await startKubeSandbox({ dir: folder() });
  return { ...sandbox, token: sandbox.adminToken, ca: readFileSync(sandbox.caFile, "utf8") };
});

describePodStreams("real control plane with the kubelet stand-in", async () => {
  const kubelet = await KubeletServer.listen();
  const cluster = await startControlPlane({ dir: folder(), nodes: 1, kubeletPort: kubelet.port });
  const close = serveControlPlane(kubelet, cluster);
  return underTest(cluster, async () => {
    close();
    await cluster.stop();
    await kubelet.stop();
  });
});

describePodStreams(
  "real control plane with kwok's own server",
  async () => {
    // kwok has no containers: each port of each pod is this echo.
    const echo = createServer({ allowHalfOpen: true }, (socket) => void socket.on("error", () => socket.destroy()).pipe(socket));
    echo.listen(0, "127.0.0.1");
    await once(echo, "listening");
    const { port } = echo.address() as AddressInfo;
    const cluster = await startControlPlane({ dir: folder(), nodes: 1, exec: true, forwardPort: port });
    return underTest(cluster, async () => {
      await cluster.stop();
      echo.close();
    });
  },
  NOT_KWOK,
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
