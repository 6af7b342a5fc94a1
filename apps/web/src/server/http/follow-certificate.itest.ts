import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";

import { systemClock } from "@binnacle/rpc";
import { createLogger, Secret } from "@binnacle/telemetry";
import { ManualClock, selfSigned, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import type { ConfigFile } from "../config/config-files.ts";
import { digestOf } from "../config/follow-files.ts";
import { HttpDialer } from "./http-dialer.ts";
import { followCertificate, followAuthority } from "./follow-certificate.ts";
import { createWebServer, listen } from "./web-server.ts";

let folder: string;
let clock: ManualClock;
let errors: unknown[];
const log = createLogger("web", "silent");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "web-certificate-"));
  clock = new ManualClock();
  errors = [];
  vi.spyOn(log, "error").mockImplementation((line: unknown) => void errors.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function put<T>(name: string, text: string, content: T): ConfigFile<T> {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return { file, content, digest: digestOf(text) };
}

/** The files are looked at so often. */
async function look(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    clock.advance(10_000);
    await until(() => clock.pending === 1);
  }
}

const first = selfSigned(["IP:127.0.0.1"]);
const second = selfSigned(["IP:127.0.0.1"]);

test("a certificate that was replaced is shown to new connections; those of before stay, a bad one changes nothing", async () => {
  const [certificate, key] = [put("cert", first.certificate, first.certificate), put("key", first.key, new Secret(first.key))];
  const settings = { address: "127.0.0.1:0", certificate_file: certificate, key_file: key };
  const server = createWebServer({
    config: { listen: settings, external_url: "https://127.0.0.1", frame_ancestors: [], trusted_proxies: [] },
    bff: {
      sessionName: async () => undefined,
      signInUrl: () => "/",
      session: async () => new Response(),
      rpc: async () => undefined,
    },
    handle: async (_request, response) => void response.end("page"),
    failed: () => undefined,
    refused: () => undefined,
    clock: systemClock,
    ready: () => true,
    build: "this-build",
  });
  const address = await listen(server, settings.address);
  onTestFinished(() => void server.close());
  onTestFinished(followCertificate(server, settings, { clock, log }));
  const dial = (ca: string): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket: TLSSocket = connect({ host: "127.0.0.1", port: Number(address.split(":")[1]), ca, ALPNProtocols: ["http/1.1"] }, () =>
        resolve(socket),
      );
      socket.on("error", reject);
      onTestFinished(() => void socket.destroy());
    });
  const kept = await dial(first.certificate);

  put("cert", second.certificate, "");
  await look(3);
  expect(errors).toEqual([expect.objectContaining({ why: "they must be a certificate chain and its key, both in PEM form" })]);
  await dial(first.certificate);

  put("key", second.key, "");
  await look(1);
  await dial(second.certificate);
  await expect(dial(first.certificate)).rejects.toThrow(/self-signed certificate/);
  kept.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  let text = "";
  for await (const chunk of kept) text += String(chunk);
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});

test("T26: an authority that was replaced is what upstreams are held against, and what runs goes on", async () => {
  const servers = await Promise.all(
    [first, second].map(async ({ certificate: cert, key }) => {
      const server = createServer({ cert, key }, (request, response) => {
        response.write("begun ");
        if (request.url === "/long") server.once("finish it", () => response.end("finished"));
        else response.end("done");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      return server;
    }),
  );
  const file = put("ca", first.certificate, first.certificate);
  const dialers = servers.map((server) => {
    // A TCP server that listens has an AddressInfo.
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const dialer = new HttpDialer({ internalUrl: url, externalUrl: url, caCertificate: first.certificate });
    onTestFinished(() => dialer.close());
    return dialer;
  });
  onTestFinished(followAuthority(file, dialers, { clock, log }));
  const [toFirst, toSecond] = dialers;
  const ask = async (dialer: HttpDialer | undefined, path = "/"): Promise<string | undefined> => {
    const answer = await dialer?.request({ method: "GET", path, headers: {}, signal: AbortSignal.timeout(20_000) });
    return answer?.body.text();
  };
  const long = toFirst?.request({ method: "GET", path: "/long", headers: {}, signal: AbortSignal.timeout(20_000) });
  const running = await long;
  await expect(ask(toSecond)).rejects.toThrow(/self-signed certificate/);
  put("ca", "-----BEGIN CERTIFICATE-----\ncanary\n-----END CERTIFICATE-----\n", "");
  await look(3);
  expect(errors).toEqual([expect.objectContaining({ key: "ca_certificate_file", why: "it must be a certificate in PEM form" })]);
  put("ca", second.certificate, "");
  await look(1);
  expect(await ask(toSecond)).toBe("begun done");
  await expect(ask(toFirst)).rejects.toThrow(/self-signed certificate/);
  servers[0]?.emit("finish it");
  expect(await running?.body.text()).toBe("begun finished");
});
