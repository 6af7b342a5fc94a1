import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, expect, test } from "vitest";

import { ApiStandIn } from "./testing/api-stand-in.ts";
import { FakeKas } from "./testing/fake-kas.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const HOOK = fileURLToPath(new URL("testing/loaded-files.ts", import.meta.url));
/** What an agent without manifests, views and services has no use for, by a part of its URL. */
const NOT_AT_START = [
  "/apps/agentk/src/gitops/worker/",
  "/apps/agentk/src/gitops/sync/",
  "/apps/agentk/src/views/views.ts",
  "/apps/agentk/src/views/call/",
  "/apps/agentk/src/logs/logs-call.ts",
  "/apps/agentk/src/service-proxy/service-call.ts",
  "/apps/agentk/src/service-proxy/service-proxy-parts.ts",
  "/apps/agentk/src/cluster-access/own-transport",
  "/packages/environment-view/",
  "/packages/graph/",
  "/packages/health/",
  "/packages/manifests/",
  "/packages/pod-logs/",
  "/packages/words/",
  "/node_modules/@connectrpc/",
  "/node_modules/prom-client/",
  "/node_modules/undici/index",
  "/node_modules/undici/lib/web/",
  "/node_modules/ws/",
  "/node_modules/yaml/",
];

let directory: string;
let kas: FakeKas;
let api: ApiStandIn;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-loaded-"));
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
});

afterEach(async () => {
  await kas.close();
  await api.close();
  rmSync(directory, { recursive: true });
});

/** Runs an agent with this configuration until `until` settles. @returns URLs of the files that it loaded */
async function loadedWith(configuration: object, until: () => Promise<unknown>): Promise<readonly string[]> {
  const [token, kubeconfig, loaded] = ["token", "kubeconfig", "loaded"].map((name) => join(directory, name)) as [string, string, string];
  writeFileSync(token, "glagent-test");
  const access = { clusters: [{ name: "c", cluster: { server: api.url.origin } }], users: [{ name: "u", user: { token: "sa" } }] };
  const contexts = { contexts: [{ name: "a", context: { cluster: "c", user: "u" } }], "current-context": "a" };
  writeFileSync(kubeconfig, JSON.stringify({ ...access, ...contexts }));
  const flags = { "--kas-address": `grpc://127.0.0.1:${kas.port}`, "--token-file": token, "--kubeconfig": kubeconfig };
  const args = ["--import", HOOK, MAIN, ...Object.entries(flags).flat()];
  const env = { PATH: process.env["PATH"], LOADED_FILES: loaded };
  const child = spawn(process.execPath, [...args, "--observability-listen-address", "127.0.0.1:0"], { stdio: "ignore", env });
  const exited = once(child, "exit");
  const stream = await kas.configuration();
  stream.send({ commitId: "abc", configuration: { agentId: 1n, ...configuration } });
  await until();
  child.kill("SIGTERM");
  await exited;
  return readFileSync(loaded, "utf8").split("\n");
}

const partsOf = (urls: readonly string[]): string[] => NOT_AT_START.filter((part) => urls.some((url) => url.includes(part)));

test("an agent that only forwards loads none of what it does not use", async () => {
  const urls = await loadedWith({}, () => kas.tunnel());
  expect(urls.some((url) => url.includes("/apps/agentk/src/reverse-tunnel/"))).toBe(true);
  expect(partsOf(urls)).toEqual([]);
});

test("one with manifests loads what applies them, and still no views", async () => {
  const reviewed = Promise.withResolvers<void>();
  api.answer = (request, response) => {
    if (request.url?.includes("selfsubjectaccessreviews")) reviewed.resolve();
    response.end("{}");
  };
  const urls = await loadedWith({ gitops: { manifestProjects: [{ id: "group/app" }] } }, () => reviewed.promise);
  const parts = partsOf(urls);
  expect(parts).toContain("/apps/agentk/src/gitops/worker/");
  expect(parts).toContain("/packages/environment-view/");
  expect(parts).not.toContain("/apps/agentk/src/views/views.ts");
  expect(urls.filter((url) => /\/environment-view\/src\/(?:nodes|projection)\//.test(url))).toEqual([]);
});
