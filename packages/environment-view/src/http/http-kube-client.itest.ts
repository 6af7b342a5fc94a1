// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { ACCEPT_JSON, type ResourceKind } from "@binnacle/kube";
import { afterAll, beforeAll, expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import { adminTransport } from "./admin-transport.ts";
import { createHttpsTransport, type HttpsTransport } from "./https-transport.ts";

const NEVER = new AbortController().signal;
const root = mkdtempSync(join(tmpdir(), "http-kube-client-"));
let plane: ControlPlane;
let transport: HttpsTransport;
let client: HttpKubeClient;

beforeAll(async () => {
  plane = await startControlPlane({ dir: join(root, "cluster"), apiServerOnly: true });
  transport = adminTransport(plane);
  client = new HttpKubeClient(transport);
});

afterAll(async () => {
  transport.close();
  await plane.stop();
  rmSync(root, { recursive: true, force: true });
});

async function kindOf(resource: string): Promise<ResourceKind> {
  const found = (await client.discover(undefined, NEVER))?.kinds.find((kind) => kind.resource === resource);
  if (!found) throw new Error(`${resource} is not served`);
  return found;
}

function configMap(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { answer: "42" } };
}

test("aggregated discovery knows the kinds, and says nothing new under its own tag", async () => {
  const found = await client.discover(undefined, NEVER);
  const names = found?.kinds.map(({ group, resource }) => `${group}/${resource}`);
  expect(names).toEqual(expect.arrayContaining(["/pods", "apps/deployments", "apiextensions.k8s.io/customresourcedefinitions"]));
  expect(await client.discover(found?.etag, NEVER)).toBeUndefined();
});

test("where the aggregated document is refused, the plain way finds the same kinds", async () => {
  const plain = new HttpKubeClient({
    // As a server older than 1.26 reads it: it knows none of the types but the last.
    request: (request, signal) => transport.request({ ...request, accept: ACCEPT_JSON }, signal),
  });
  const names = async (of: HttpKubeClient): Promise<string[]> =>
    ((await of.discover(undefined, NEVER))?.kinds ?? [])
      .map((kind) => `${kind.group}/${kind.version}/${kind.resource}/${kind.kind}`)
      .sort();
  const expected = await names(client);
  expect(expected.length).toBeGreaterThan(40);
  expect(await names(plain)).toEqual(expected);
});

test("lists in pages, gets one object in full, and says the server's sentence for one that is not there", async () => {
  const kind = await kindOf("configmaps");
  for (const name of ["a", "b", "c"]) await client.json({ path: "/api/v1/namespaces/default/configmaps", body: configMap(name) }, NEVER);
  const request = { kind, namespace: "default", limit: 2, metadataOnly: false };
  const first = await client.list(request, NEVER);
  const second = await client.list({ ...request, continueToken: first.continueToken }, NEVER);
  expect([...first.items, ...second.items].map((item) => item.metadata.name)).toEqual(["a", "b", "c"]);
  expect(first.remaining).toBe(1);
  expect((await client.get({ kind, namespace: "default", name: "a" }, NEVER))["data"]).toEqual({ answer: "42" });
  await expect(client.get({ kind, namespace: "default", name: "none" }, NEVER)).rejects.toMatchObject({
    failure: "api",
    message: 'configmaps "none" not found',
    status: { code: 404 },
  });
});

test("watches from where a list ended, and stops when its signal aborts", async () => {
  const kind = await kindOf("configmaps");
  const { resourceVersion } = await client.list({ kind, namespace: "default", limit: 500, metadataOnly: false }, NEVER);
  const stop = new AbortController();
  const opened = Promise.withResolvers<void>();
  const watch = client.watch({ kind, namespace: "default", resourceVersion, metadataOnly: true, opened: opened.resolve }, stop.signal);
  const events = watch[Symbol.asyncIterator]();
  const next = events.next();
  await opened.promise;
  await client.json({ path: "/api/v1/namespaces/default/configmaps", body: configMap("watched") }, NEVER);
  const event: unknown = (await next).value;
  expect(event).toMatchObject({ type: "ADDED", object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "watched" } } });
  expect(event).not.toHaveProperty("object.data");
  const last = events.next();
  stop.abort();
  await expect(last).rejects.toBeInstanceOf(KubeClientError);
});

test("a kind that is defined later is discovered under a new tag", async () => {
  const before = await client.discover(undefined, NEVER);
  const names = { kind: "Widget", plural: "widgets" };
  const schema = { openAPIV3Schema: { type: "object" } };
  const spec = { group: "example.com", names, scope: "Namespaced", versions: [{ name: "v1", served: true, storage: true, schema }] };
  const body = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "widgets.example.com" }, spec };
  await client.json({ path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body }, NEVER);
  let now = before;
  while (now?.kinds.every(({ group }) => group !== "example.com") === true) now = (await client.discover(now.etag, NEVER)) ?? now;
  expect(now?.kinds).toContainEqual(expect.objectContaining({ group: "example.com", resource: "widgets", kind: "Widget" }));
  expect(now?.etag).not.toBe(before?.etag);
});

test("a server that is not there is a broken connection", async () => {
  const unreachable = createHttpsTransport({ baseUrl: "http://127.0.0.1:1" });
  const failure = new HttpKubeClient(unreachable).discover(undefined, NEVER);
  await expect(failure).rejects.toMatchObject({ name: "KubeClientError", failure: "connection" });
  unreachable.close();
});
