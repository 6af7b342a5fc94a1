import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "../support/fixtures.ts";

const ROOT = join(import.meta.dirname, "..", "..");

function run(
  argv: readonly string[],
  timeoutMs = 60_000,
): { readonly status: number | null; readonly timedOut: boolean; readonly output: string } {
  const result = spawnSync(process.execPath, [...argv], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: timeoutMs,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  // spawnSync reports its own time limit as this error.
  const timedOut = result.error !== undefined && "code" in result.error && result.error.code === "ETIMEDOUT";
  return { status: result.status, timedOut, output: result.stdout + result.stderr };
}

test("kas names every mistake of its configuration at once, with its path, and ends with 2", () => {
  const file = join(mkdtempSync(join(tmpdir(), "binnacle-config-")), "kas.yaml");
  writeFileSync(file, "gitlab:\n  address: 5\n  adress: http://typo\nagent:\n  listen:\n    websocket: maybe\n  info_cache_ttl: soon\n");
  const { status, output } = run(["apps/kas/src/main.ts", "--configuration-file", file]);
  expect(status).toBe(2);
  for (const path of ["gitlab.address", "gitlab.adress", "agent.listen.websocket", "agent.info_cache_ttl"]) expect(output).toContain(path);
});

test("a taken port is named, with the flag that changes it", async ({ cluster }) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = taken.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), "binnacle-port-"));
  const { status, output } = run(
    ["apps/sandbox/src/main.ts", "--cluster", cluster, "--no-open", "--port", String(port), "--dir", directory],
    120_000,
  );
  taken.close();
  expect(status).not.toBe(0);
  expect(output).toContain(String(port));
  expect(output).toContain("--port");
});

test("agentk with an unknown token says why, and goes on trying", async ({ sandbox }) => {
  const tokenFile = join(mkdtempSync(join(tmpdir(), "binnacle-token-")), "token");
  writeFileSync(tokenFile, "glagent-unknown-token");
  const address = `grpc://${(sandbox.endpoints.kas[0]?.agent ?? "").replace("grpc://", "")}`;
  const { timedOut, output } = run(
    [
      "apps/agentk/src/main.ts",
      "--kas-address",
      address,
      "--token-file",
      tokenFile,
      "--kubeconfig",
      sandbox.endpoints.kubeconfigs.cluster,
      "--observability-listen-address",
      "127.0.0.1:0",
    ],
    8_000,
  );
  expect(timedOut, "it was still running when the time was up").toBe(true);
  expect(output).toMatch(/unauthenticated/i);
  expect(output).not.toContain("glagent-unknown-token");
});

test("the sandbox answers unknown flags with every mistake and ends with 2", () => {
  const { status, output } = run(["apps/sandbox/src/main.ts", "--prot", "1", "--kas", "zero"]);
  expect(status).toBe(2);
  expect(output).toContain("--prot");
  expect(output).toContain("--kas");
});
