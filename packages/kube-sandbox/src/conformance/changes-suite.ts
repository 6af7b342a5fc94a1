import { describe, expect, test } from "vitest";

import { listIn, numberIn, textIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import type { SuiteContext } from "./suite-context.ts";

/** The four kinds of patch, scale, deletes, finalizers and garbage collection. */
export function describeChanges(context: SuiteContext): void {
  const place = (): string => `/api/v1/namespaces/${context.namespace}`;
  const maps = (): string => `${place()}/configmaps`;
  const deployments = (): string => `/apis/apps/v1/namespaces/${context.namespace}/deployments`;
  const make = async (name: string, extra: Tree = {}): Promise<Tree> =>
    (
      await context.client.post(maps(), {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, ...treeIn(extra, "metadata") },
        data: { a: "1", ...treeIn(extra, "data") },
      })
    ).body;

  describe("a patch", () => {
    test("of type merge sets and removes fields", async () => {
      await make("merged", { data: { b: "2" } });
      expect((await context.client.patch(`${maps()}/merged`, "merge", { data: { a: null, c: "3" } })).body["data"]).toEqual({
        b: "2",
        c: "3",
      });
    });

    test("of type JSON changes by path, and fails as a whole when a test fails", async () => {
      await make("pointed");
      const good = await context.client.patch(`${maps()}/pointed`, "json", [
        { op: "test", path: "/data/a", value: "1" },
        { op: "replace", path: "/data/a", value: "2" },
      ]);
      expect(good.body["data"]).toEqual({ a: "2" });
      const bad = await context.client.patch(`${maps()}/pointed`, "json", [
        { op: "replace", path: "/data/a", value: "3" },
        { op: "test", path: "/data/a", value: "1" },
      ]);
      expect(bad.code).toBe(422);
      expect((await context.client.get(`${maps()}/pointed`)).body["data"]).toEqual({ a: "2" });
    });

    test("of type strategic merges containers by name and removes by $patch", async () => {
      await context.client.post(deployments(), {
        ...context.deployment("strategic"),
        spec: { ...treeIn(context.deployment("strategic"), "spec"), replicas: 0 },
      });
      const added = await context.client.patch(`${deployments()}/strategic`, "strategic", {
        spec: { template: { spec: { containers: [{ name: "side", image: "example/side:1" }] } } },
      });
      const names = (body: Tree): string[] =>
        listIn(body, "spec", "template", "spec", "containers").map((one) => textIn(one, "name") ?? "");
      expect(names(added.body).toSorted()).toEqual(["side", "web"]);
      const changed = await context.client.patch(`${deployments()}/strategic`, "strategic", {
        spec: {
          template: {
            spec: {
              containers: [
                { name: "web", image: "example/web:9" },
                { name: "side", $patch: "delete" },
              ],
            },
          },
        },
      });
      expect(names(changed.body)).toEqual(["web"]);
      expect(textIn(changed.body, "spec", "template", "spec", "containers", 0, "image")).toBe("example/web:9");
      expect(numberIn(changed.body, "metadata", "generation")).toBe(3);
    });

    test("with an old resourceVersion is a conflict", async () => {
      const made = await make("stale");
      await context.client.patch(`${maps()}/stale`, "merge", { data: { a: "2" } });
      const answer = await context.client.patch(`${maps()}/stale`, "merge", {
        metadata: { resourceVersion: textIn(made, "metadata", "resourceVersion") },
        data: { a: "3" },
      });
      expect(answer.body).toMatchObject({ code: 409, reason: "Conflict" });
    });

    test("of an unknown type is refused", async () => {
      await make("untyped");
      const answer = await context.client.send("PATCH", `${maps()}/untyped`, { body: {}, headers: { "content-type": "application/json" } });
      expect(answer.code).toBe(415);
    });
  });

  describe("server-side apply", () => {
    const apply = (name: string, manager: string, data: Tree) =>
      context.client.patch(`${maps()}/${name}?fieldManager=${manager}`, "apply", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name },
        data,
      });

    test("creates, owns what it names, and takes away what it no longer names", async () => {
      const made = await apply("applied", "one", { a: "1", b: "2" });
      expect(made.code).toBe(201);
      expect(listIn(made.body, "metadata", "managedFields")).toEqual([
        expect.objectContaining({ manager: "one", operation: "Apply", fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } } }),
      ]);
      const next = await apply("applied", "one", { a: "1" });
      expect(next.code).toBe(200);
      expect(next.body["data"]).toEqual({ a: "1" });
    });

    test("refuses to change another manager's field, unless forced", async () => {
      await apply("contested", "one", { a: "1" });
      const refused = await apply("contested", "two", { a: "2", b: "2" });
      expect(refused.body).toMatchObject({
        code: 409,
        reason: "Conflict",
        details: { causes: [{ reason: "FieldManagerConflict", field: ".data.a", message: 'conflict with "one"' }] },
      });
      const forced = await apply("contested", "two&force=true", { a: "2", b: "2" });
      expect(forced.body["data"]).toEqual({ a: "2", b: "2" });
      expect(listIn(forced.body, "metadata", "managedFields").map((entry) => textIn(entry, "manager"))).toEqual(["two"]);
    });

    test("shares a field with the same value and keeps it until both let go", async () => {
      await apply("shared", "one", { a: "1", b: "1" });
      expect((await apply("shared", "two", { a: "1" })).code).toBe(200);
      expect((await apply("shared", "one", { b: "1" })).body["data"]).toEqual({ a: "1", b: "1" });
      expect((await apply("shared", "two", {})).body["data"]).toEqual({ b: "1" });
    });

    test("merges lists by their keys", async () => {
      const spec = (containers: Tree[]): Tree => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "listed" },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: "listed" } },
          template: { metadata: { labels: { app: "listed" } }, spec: { containers } },
        },
      });
      await context.client.patch(
        `${deployments()}/listed?fieldManager=one`,
        "apply",
        spec([{ name: "web", image: "example/web:1", env: [{ name: "A", value: "1" }] }]),
      );
      const side = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "listed" },
        spec: { template: { spec: { containers: [{ name: "web", env: [{ name: "B", value: "2" }] }] } } },
      };
      const answer = await context.client.patch(`${deployments()}/listed?fieldManager=two`, "apply", side);
      expect(answer.code).toBe(200);
      const variables = listIn(answer.body, "spec", "template", "spec", "containers", 0, "env").map((one) => textIn(one, "name") ?? "");
      expect(variables.toSorted()).toEqual(["A", "B"]);
      const gone = await context.client.patch(
        `${deployments()}/listed?fieldManager=one`,
        "apply",
        spec([{ name: "web", image: "example/web:1" }]),
      );
      expect(listIn(gone.body, "spec", "template", "spec", "containers", 0, "env").map((one) => textIn(one, "name"))).toEqual(["B"]);
    });

    test("sees who wrote without applying", async () => {
      await context.client.send("POST", `${maps()}?fieldManager=editor`, {
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "edited" }, data: { a: "1" } },
      });
      const refused = await apply("edited", "one", { a: "2" });
      expect(textIn(refused.body, "details", "causes", 0, "message")).toBe('conflict with "editor" using v1');
    });
  });

  describe("scale", () => {
    test("reads and writes replicas only", async () => {
      await context.client.post(deployments(), {
        ...context.deployment("scaled"),
        spec: { ...treeIn(context.deployment("scaled"), "spec"), replicas: 0 },
      });
      const scale = (await context.client.get(`${deployments()}/scaled/scale`)).body;
      expect(scale).toMatchObject({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name: "scaled" },
        status: { selector: "app=scaled" },
      });
      expect(valueIn(scale, "spec")).toEqual({});
      const patched = await context.client.patch(`${deployments()}/scaled/scale`, "merge", { spec: { replicas: 1 } });
      expect(numberIn(patched.body, "spec", "replicas")).toBe(1);
      const put = await context.client.put(`${deployments()}/scaled/scale`, {
        ...patched.body,
        metadata: { name: "scaled", namespace: context.namespace },
        spec: { replicas: 0 },
      });
      expect(put.code).toBe(200);
      expect(numberIn((await context.client.get(`${deployments()}/scaled`)).body, "metadata", "generation")).toBe(3);
    });
  });

  describe("an eviction", () => {
    test("by a dry run, or of another pod of the name, leaves the pod", async () => {
      const pods = `/api/v1/namespaces/${context.namespace}/pods`;
      const pod = { metadata: { name: "evicted" }, spec: { containers: [{ name: "app", image: "example/app:1" }] } };
      const uid = textIn((await context.client.post(pods, { apiVersion: "v1", kind: "Pod", ...pod })).body, "metadata", "uid");
      const evict = (query: string, deleteOptions: object) =>
        context.client.post(`${pods}/evicted/eviction${query}`, {
          apiVersion: "policy/v1",
          kind: "Eviction",
          metadata: { name: "evicted", namespace: context.namespace },
          deleteOptions,
        });
      expect((await evict("?dryRun=All", { preconditions: { uid } })).code).toBe(201);
      expect((await evict("", { preconditions: { uid: "another" } })).code).toBe(409);
      expect((await context.client.get(`${pods}/evicted`)).body).not.toHaveProperty("metadata.deletionTimestamp");
      expect((await evict("", { preconditions: { uid }, gracePeriodSeconds: 0 })).code).toBe(201);
      expect((await context.client.get(`${pods}/evicted`)).code).toBe(404);
    });
  });

  describe("a delete", () => {
    const owned = (owner: Tree, extra: Tree = {}): Tree => ({
      metadata: {
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: textIn(owner, "metadata", "name"), uid: textIn(owner, "metadata", "uid"), ...extra },
        ],
      },
    });

    test("answers with a Status that names what is gone", async () => {
      const made = await make("removed");
      expect((await context.client.delete(`${maps()}/removed`)).body).toMatchObject({
        kind: "Status",
        status: "Success",
        details: { name: "removed", kind: "configmaps", uid: textIn(made, "metadata", "uid") },
      });
    });

    test("waits for finalizers", async () => {
      await make("held", { metadata: { finalizers: ["example.test/hold"] } });
      const answer = await context.client.delete(`${maps()}/held`);
      expect(textIn(answer.body, "metadata", "deletionTimestamp")).toMatch(/Z$/);
      expect((await context.client.get(`${maps()}/held`)).code).toBe(200);
      await context.client.patch(`${maps()}/held`, "merge", { metadata: { finalizers: null } });
      expect((await context.client.get(`${maps()}/held`)).code).toBe(404);
    });

    test("does nothing when a precondition does not hold", async () => {
      await make("guarded");
      expect((await context.client.delete(`${maps()}/guarded`, { preconditions: { uid: "another" } })).body).toMatchObject({
        code: 409,
        reason: "Conflict",
      });
      expect((await context.client.get(`${maps()}/guarded`)).code).toBe(200);
    });

    test("takes dependents along in the background", async () => {
      const owner = await make("owner-b");
      await make("dependent-b", owned(owner));
      await context.client.delete(`${maps()}/owner-b`, { propagationPolicy: "Background" });
      await context.client.gone(maps(), "dependent-b");
      expect((await context.client.get(`${maps()}/owner-b`)).code).toBe(404);
    });

    test("takes dependents along first in the foreground", async () => {
      const owner = await make("owner-f");
      await make("dependent-f", owned(owner, { blockOwnerDeletion: true }));
      await context.client.delete(`${maps()}/owner-f`, { propagationPolicy: "Foreground" });
      await context.client.gone(maps(), "owner-f");
      expect((await context.client.get(`${maps()}/dependent-f`)).code).toBe(404);
    });

    test("leaves dependents without owner when it orphans", async () => {
      const owner = await make("owner-o");
      await make("dependent-o", owned(owner));
      await context.client.delete(`${maps()}/owner-o`, { propagationPolicy: "Orphan" });
      await context.client.gone(maps(), "owner-o");
      const left = (await context.client.get(`${maps()}/dependent-o`)).body;
      expect(valueIn(left, "metadata", "ownerReferences")).toBeUndefined();
    });

    test("removes an object whose owner never existed", async () => {
      await make("lost", owned({ metadata: { name: "missing", uid: "00000000-0000-4000-8000-000000000000" } }));
      await context.client.gone(maps(), "lost");
      expect((await context.client.get(`${maps()}/lost`)).code).toBe(404);
    });

    test("of a collection takes the selected objects", async () => {
      await make("many-1", { metadata: { labels: { many: "yes" } } });
      await make("many-2", { metadata: { labels: { many: "yes" } } });
      await context.client.delete(`${maps()}?labelSelector=many%3Dyes`);
      expect(listIn((await context.client.get(`${maps()}?labelSelector=many%3Dyes`)).body, "items")).toEqual([]);
    });

    test("of a namespace empties it; nothing new gets in meanwhile", async () => {
      const name = `${context.namespace}-gone`;
      await context.client.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
      const inside = `/api/v1/namespaces/${name}/configmaps`;
      await context.client.post(inside, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "kept", finalizers: ["example.test/hold"] },
      });
      await context.client.delete(`/api/v1/namespaces/${name}`);
      await context.client.object(inside, "kept", (object) => textIn(object, "metadata", "deletionTimestamp") !== undefined);
      expect((await context.client.get(`/api/v1/namespaces/${name}`)).body).toMatchObject({ status: { phase: "Terminating" } });
      expect((await context.client.post(inside, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late" } })).body).toMatchObject({
        code: 403,
        reason: "Forbidden",
      });
      await context.client.patch(`${inside}/kept`, "merge", { metadata: { finalizers: null } });
      await context.client.gone("/api/v1/namespaces", name);
    });
  });
}
