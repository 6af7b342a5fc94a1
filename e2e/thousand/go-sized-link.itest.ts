import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rmSync } from "node:fs";

import { createKasSecrets, eventually, startAgentkProcess, startKasProcess, startMainApplicationStandIn } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import { startGoSizedLink } from "./go-sized-link.ts";

test("kas takes an agentk behind the link for one without our capabilities: ten tunnels, eight watches, and each comes back", async () => {
  const cluster = createServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    // A watch without events has no end.
    if (request.url?.includes("watch=") === true) response.flushHeaders();
    else response.end("{}");
  });
  await new Promise<void>((resolve) => cluster.listen(0, "127.0.0.1", resolve));
  const application = await startMainApplicationStandIn();
  const secrets = createKasSecrets();
  const kas = await startKasProcess({ mainApplication: application.address, secrets });
  const link = await startGoSizedLink(`grpc://${kas.addresses.agent}`);
  // A TCP server that listens has an AddressInfo.
  const server = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`;
  const agentk = await startAgentkProcess({ kasAddress: link.url, token: "glagent-1", server });
  onTestFinished(async () => {
    await agentk.stop();
    link.close();
    await kas.stop();
    await application.close();
    cluster.closeAllConnections();
    cluster.close();
    rmSync(secrets.directory, { recursive: true });
  });
  const stop = new AbortController();
  const ask = (path: string): Promise<Response> =>
    fetch(`http://${kas.addresses.k8sProxy}${path}`, {
      headers: { authorization: "Bearer pat:1:user-1", "kas-watch-budget": "sample" },
      signal: stop.signal,
    });
  await eventually(async () => ((await ask("/api")).ok ? undefined : "the agent is not there"), 20_000);
  expect((await ask("/api")).headers.get("kas-agent-watch-budget")).toBe("8;free=8");
  const watches = [];
  for (let each = 0; each < 9; each += 1) watches.push((await ask("/api/v1/pods?watch=true")).status);
  expect(watches).toEqual([...Array.from({ length: 8 }, () => 200), 429]);
  // Far more calls than tunnels: those that have ended make room.
  const calls = await Promise.all(Array.from({ length: 40 }, async () => (await ask("/api")).status));
  expect(calls).toEqual(Array.from({ length: 40 }, () => 200));
  expect(link.mostTunnels).toBe(10);
  stop.abort();
});
