import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer as createPlainServer } from "node:http";
import { createServer, type Server } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";

import { systemClock } from "@binnacle/rpc";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";

import { tlsFixture, tlsFixturePath } from "../testing/tls-fixtures.ts";
import { ClusterClient } from "./cluster-client.ts";
import { kubeconfigAccess } from "./kubeconfig.ts";

interface Seen {
  readonly authorization: string | undefined;
  readonly client: string | undefined;
  readonly url: string | undefined;
}

let directory: string;
let server: Server;
let seen: Seen[];
let answerStatus: number;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  seen = [];
  answerStatus = 200;
  server = createServer(
    {
      cert: tlsFixture("server.pem"),
      key: tlsFixture("server.key"),
      ca: tlsFixture("ca.pem"),
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request: IncomingMessage, response) => {
      // An https server's sockets are TLS sockets.
      const socket = request.socket as TLSSocket;
      const subject = socket.authorized ? socket.getPeerCertificate().subject : undefined;
      seen.push({ authorization: request.headers.authorization, client: subject ? String(subject.CN) : undefined, url: request.url });
      response.writeHead(answerStatus).end("{}");
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  rmSync(directory, { recursive: true });
});

type Part = Readonly<Record<string, unknown>>;

function port(): number {
  // The address of a listening TCP server is an AddressInfo.
  return (server.address() as AddressInfo).port;
}

function writeKubeconfig(user: Part, cluster: Part = {}): string {
  const path = join(directory, "config");
  const defaults = { server: `https://127.0.0.1:${port()}`, "certificate-authority": tlsFixturePath("ca.pem") };
  writeFileSync(
    path,
    stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "one",
      contexts: [
        { name: "one", context: { cluster: "c", user: "u", namespace: "n" } },
        { name: "two", context: { cluster: "gone", user: "u" } },
      ],
      clusters: [{ name: "c", cluster: { ...defaults, ...cluster } }],
      users: [{ name: "u", user }],
    }),
  );
  return path;
}

function clientOf(user: Part, cluster: Part = {}): ClusterClient {
  const client = new ClusterClient(
    kubeconfigAccess({ path: writeKubeconfig(user, cluster), context: undefined, env: { PATH: process.env["PATH"] }, clock: systemClock }),
  );
  closers.push(() => client.close());
  return client;
}

/** Status of a GET, or what it failed with. */
function get(client: ClusterClient): Promise<number | Error> {
  return new Promise((resolve) => {
    let status = 0;
    client.request(
      { method: "GET", target: "/x", headers: [], contentLength: undefined, body: undefined },
      {
        header: (code) => (status = code),
        data: () => {},
        end: () => resolve(status),
        error: (error) => resolve(error instanceof Error ? error : new Error(String(error))),
      },
    );
  });
}

const base64 = (name: "client.pem" | "client.key" | "ca.pem"): string => Buffer.from(tlsFixture(name)).toString("base64");

/** A program that prints a credential and counts its runs in a file. */
function execPlugin(status: string): Part {
  mkdirSync(join(directory, "bin"));
  const path = join(directory, "bin", "plugin");
  writeFileSync(
    path,
    `#!/bin/sh\necho run >> ${join(directory, "runs")}\nprintf '%s' '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}'\n`,
  );
  chmodSync(path, 0o755);
  return {
    exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./bin/plugin", args: ["a"], env: [{ name: "X", value: "y" }] },
  };
}

describe("a kubeconfig with", () => {
  test.each<[string, () => [Part, Part?], Partial<Seen>]>([
    [
      "a client certificate in place",
      () => [{ "client-certificate-data": base64("client.pem"), "client-key-data": base64("client.key") }],
      { client: "client.test", authorization: undefined },
    ],
    [
      "a client certificate in files",
      () => [{ "client-certificate": tlsFixturePath("client.pem"), "client-key": tlsFixturePath("client.key") }],
      { client: "client.test" },
    ],
    [
      "the authority in place",
      () => [{ token: "t" }, { "certificate-authority": undefined, "certificate-authority-data": base64("ca.pem") }],
      { authorization: "Bearer t" },
    ],
    ["a token", () => [{ token: "t" }], { authorization: "Bearer t", client: undefined }],
    ["name and password", () => [{ username: "u", password: "p" }], { authorization: "Basic dTpw" }],
    ["no credential", () => [{}], { authorization: undefined }],
    ["another name of the server", () => [{ token: "t" }, { "tls-server-name": "api.test" }], { authorization: "Bearer t" }],
    [
      "no verification",
      () => [{ token: "t" }, { "certificate-authority": tlsFixturePath("other-ca.pem"), "insecure-skip-tls-verify": true }],
      { authorization: "Bearer t" },
    ],
    ["a base path", () => [{ token: "t" }, { server: `https://127.0.0.1:${port()}/clusters/1/` }], { url: "/clusters/1/x" }],
    ["an exec plugin that gives a token", () => [execPlugin('{"token":"from-exec"}')], { authorization: "Bearer from-exec" }],
    [
      "an exec plugin that gives a certificate",
      () => [
        execPlugin(
          `{"clientCertificateData":${JSON.stringify(tlsFixture("client.pem"))},"clientKeyData":${JSON.stringify(tlsFixture("client.key"))}}`,
        ),
      ],
      { client: "client.test", authorization: undefined },
    ],
  ])("%s is understood", async (_name, parts, expected) => {
    const [user, cluster] = parts();
    expect(await get(clientOf(user, cluster))).toBe(200);
    expect(seen[0]).toMatchObject(expected);
  });

  test("a token file beside it is understood, and read again when the token is refused", async () => {
    writeFileSync(join(directory, "tok"), "one\n");
    const client = clientOf({ tokenFile: "tok" });
    await get(client);
    writeFileSync(join(directory, "tok"), "two");
    answerStatus = 401;
    expect(await get(client)).toBe(401);
    await get(client);
    expect(seen.map((request) => request.authorization)).toEqual(["Bearer one", "Bearer one", "Bearer two"]);
  });

  test("an exec plugin runs it once for many requests, and again when its credential has expired", async () => {
    const runs = (): number => readFileSync(join(directory, "runs"), "utf8").trim().split("\n").length;
    const lasting = clientOf(execPlugin('{"token":"t","expirationTimestamp":"2999-01-01T00:00:00Z"}'));
    await Promise.all([get(lasting), get(lasting)]);
    await get(lasting);
    expect(runs()).toBe(1);
    rmSync(join(directory, "bin"), { recursive: true });
    const expired = clientOf(execPlugin('{"token":"t","expirationTimestamp":"2001-01-01T00:00:00Z"}'));
    await get(expired);
    await get(expired);
    expect(runs()).toBe(3);
  });

  test("a proxy goes through it", async () => {
    const targets: string[] = [];
    const proxy = createPlainServer();
    const sockets: Socket[] = [];
    proxy.on("connect", (request, socket: Socket) => {
      targets.push(request.url ?? "");
      const upstream = connect(port(), "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
      sockets.push(socket, upstream);
      upstream.pipe(socket).pipe(upstream);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    closers.push(async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    });
    // The address of a listening TCP server is an AddressInfo.
    const client = clientOf({ token: "t" }, { "proxy-url": `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    expect(await get(client)).toBe(200);
    expect(targets).toEqual([`127.0.0.1:${port()}`]);
  });

  test.each([
    ["the wrong authority", { "certificate-authority": tlsFixturePath("other-ca.pem") }],
    ["a name the certificate has not", { "tls-server-name": "elsewhere.test" }],
  ])("%s does not connect", async (_name, cluster) => {
    expect(await get(clientOf({ token: "t" }, cluster))).toMatchObject({ reason: "cluster_unavailable" });
    expect(seen).toEqual([]);
  });

  test("an exec plugin that fails says which, and not what it printed", async () => {
    const answer = await get(clientOf({ exec: { apiVersion: "client.authentication.k8s.io/v1", command: "./nothing-here" } }));
    expect(answer).toMatchObject({ reason: "cluster_unavailable", message: expect.stringContaining("nothing-here failed (ENOENT)") });
  });
});

describe("a kubeconfig that is wrong", () => {
  const read = (user: Part, over: { readonly cluster?: Part; readonly context?: string } = {}): (() => unknown) => {
    const path = writeKubeconfig(user, over.cluster);
    return () => kubeconfigAccess({ path, context: over.context, env: {}, clock: systemClock });
  };

  test.each<[string, () => () => unknown, string]>([
    ["an unknown context", () => read({}, { context: "three" }), 'contexts has no entry named "three"'],
    ["a context of a missing cluster", () => read({}, { context: "two" }), 'clusters has no entry named "gone"'],
    ["a server that is no URL", () => read({}, { cluster: { server: "nonsense" } }), "clusters[0].cluster.server: expected a URL"],
    ["a token that is no text", () => read({ token: 5 }), "users[0].user.token: expected a text"],
    [
      "a certificate without its key",
      () => read({ "client-certificate-data": base64("client.pem") }),
      "expected client-certificate and client-key together",
    ],
    ["a token file that is missing", () => read({ tokenFile: "nowhere" }), "users[0].user.tokenFile: ENOENT"],
    ["an auth provider", () => read({ "auth-provider": { name: "gcp" } }), "expected an exec plugin instead"],
    ["groups without a user to impersonate", () => read({ "as-groups": ["x"] }), "expected a user name beside as-groups"],
    [
      "an old exec API",
      () => read({ exec: { apiVersion: "client.authentication.k8s.io/v1alpha1", command: "x" } }),
      "exec.apiVersion: expected",
    ],
  ])("names %s", (_name, prepare, message) => {
    const access = prepare();
    expect(access).toThrow(expect.objectContaining({ reason: "configuration_invalid", message: expect.stringContaining(message) }));
    expect(access).toThrow(join(directory, "config"));
  });

  test("because it is no YAML, or is not there, says so", () => {
    const path = join(directory, "config");
    writeFileSync(path, "a: [");
    expect(() => kubeconfigAccess({ path, context: undefined, env: {}, clock: systemClock })).toThrow(`kubeconfig ${path}`);
    expect(() => kubeconfigAccess({ path: join(directory, "none"), context: undefined, env: {}, clock: systemClock })).toThrow("ENOENT");
  });
});
