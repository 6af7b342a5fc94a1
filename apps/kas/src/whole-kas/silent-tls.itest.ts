import { once } from "node:events";
import { connect } from "node:net";

import { systemClock } from "@binnacle/rpc";
import { expect, onTestFinished, test } from "vitest";

import { KubernetesApiListener } from "../kubernetes-api/listener/kubernetes-api-listener.ts";
import { kasOf } from "../kas-routing/testing/kas-of.ts";
import { ProxyUnderTest } from "../kubernetes-api/listener/testing/proxy-under-test.ts";
import { selfSigned } from "../testing/self-signed.ts";

/** @returns "host:port" */
async function openAgentPort(): Promise<string> {
  return (await kasOf({ tls: selfSigned() })).agentUrl.replace(/^.*:\/\//, "");
}

/** @returns "host:port" */
async function openKubernetesPort(): Promise<string> {
  const kas = await ProxyUnderTest.start();
  const { cert, key } = selfSigned();
  const listener = await KubernetesApiListener.open({
    listen: { host: "127.0.0.1", port: 0 },
    tls: { cert: Buffer.from(cert), key: Buffer.from(key) },
    proxy: kas.proxy,
    clock: systemClock,
    graceMs: 0,
    upgrade: () => false,
    intercept: () => false,
  });
  onTestFinished(async () => {
    await listener.close();
    await kas.stop();
  });
  return listener.address;
}

/** Settles when the server has closed its whole side: whatever is written then is answered by a reset. */
async function isClosed(address: string, bytes: string): Promise<void> {
  const [host, port] = address.split(":");
  const socket = connect({ host: host ?? "", port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined).resume();
  socket.write(bytes, "latin1");
  const closed = once(socket, "close");
  await Promise.race([once(socket, "end"), closed]);
  // To a socket that only ended its half this goes on for ever.
  while (!socket.destroyed) await new Promise((resolve) => socket.write("x", resolve));
}

test("KS2, XM12: the TLS ports keep no socket of who does not finish the handshake", async () => {
  const says = ["", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001", "\u0000".repeat(100)];
  const addresses = [await openAgentPort(), await openKubernetesPort()];
  const closed = await Promise.all(addresses.flatMap((address) => says.map((bytes) => isClosed(address, bytes))));
  expect(closed).toHaveLength(addresses.length * says.length);
});
