import { rmSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";

import { ByteBudget, type KubeRequest } from "@binnacle/environment-view";
import { createKasSecrets, eventually, startAgentkProcess, startKasProcess, startMainApplicationStandIn } from "@binnacle/testing";
import { afterEach, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { KasTransport } from "./kas-transport.ts";

const QUESTION: KubeRequest = { method: "GET", path: "/api", accept: "application/json", answerWithinSeconds: 1 };
const REVIEW: KubeRequest = {
  ...QUESTION,
  method: "POST",
  path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  body: "{}",
  purpose: "proof",
};
const NEVER = new AbortController().signal;

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server that takes connections and bytes, and says nothing: what a stopped process looks like. */
async function startSilence(): Promise<{ readonly url: string; readonly heard: () => boolean }> {
  const sockets = new Set<Socket>();
  let heard = false;
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("data", () => (heard = true)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heard: () => heard };
}

test("US6: an API server that hangs is api_down; an agent that stands still is offline; both say so while they hang", async () => {
  const [main, secrets, silence] = [await startMainApplicationStandIn(), createKasSecrets(), await startSilence()];
  closers.push(
    () => main.close(),
    () => rmSync(secrets.directory, { recursive: true }),
  );
  const kas = await startKasProcess({ mainApplication: main.address, secrets });
  closers.push(() => kas.stop());
  const agentk = await startAgentkProcess({ kasAddress: `grpc://${kas.addresses.agent}`, token: "glagent-7", server: silence.url });
  closers.push(() => agentk.stop());
  await eventually(async () => (((await kas.metrics()).get("kas_tunnels_idle") ?? 0) > 0 ? undefined : "no tunnel is open"), 60_000);

  const url = `http://${kas.addresses.k8sProxy}`;
  const dialer = new HttpDialer({ internalUrl: url, externalUrl: url });
  closers.push(() => dialer.close());
  const transport = new KasTransport({
    dialer,
    reading: new ByteBudget(1024 * 1024),
    headers: () => Promise.resolve({ authorization: "Bearer pat:7:user-1" }),
    configurationError: () => undefined,
    watchLimit: () => undefined,
  });
  const outcomes = (): Promise<unknown[]> =>
    Promise.all([QUESTION, REVIEW].map((request) => transport.request(request, NEVER).catch((error: unknown) => error)));
  expect(await outcomes()).toMatchObject([
    { failure: "api_down", stage: "started" },
    { failure: "api_down", stage: "started" },
  ]);
  expect(silence.heard()).toBe(true);

  agentk.program.signal("SIGSTOP");
  expect(await outcomes()).toMatchObject([
    { failure: "agent_offline", stage: "started" },
    { failure: "agent_offline", stage: "started" },
  ]);
  agentk.program.signal("SIGCONT");
  expect(await outcomes()).toMatchObject([{ failure: "api_down" }, { failure: "api_down" }]);
});
