import { describe, expect, test } from "vitest";

import { isTree, listIn, numberIn, textIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import type { SuiteContext } from "./suite-context.ts";

/** Create, read, update, lists, tables and watches, as raw HTTP. */
export function describeObjects(context: SuiteContext): void {
  const maps = (): string => `/api/v1/namespaces/${context.namespace}/configmaps`;
  const configMap = (name: string, data: Tree = {}, labels: Tree = {}): Tree => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, labels },
    data,
  });

  describe("discovery", () => {
    test("is aggregated on request, with an ETag that saves the second answer", async () => {
      const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
      const first = await context.client.get("/apis", { accept });
      expect(first.body["kind"]).toBe("APIGroupDiscoveryList");
      const apps = listIn(first.body, "items").find((item) => textIn(item, "metadata", "name") === "apps");
      const deployments = listIn(apps, "versions", 0, "resources").find((one) => textIn(one, "resource") === "deployments");
      expect(deployments).toMatchObject({
        scope: "Namespaced",
        singularResource: "deployment",
        shortNames: ["deploy"],
        responseKind: { kind: "Deployment" },
      });
      const second = await context.client.get("/apis", { accept, "if-none-match": String(first.headers["etag"]) });
      expect(second.code).toBe(304);
    });

    test("is plain otherwise", async () => {
      expect((await context.client.get("/api")).body).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
      expect((await context.client.get("/apis")).body["kind"]).toBe("APIGroupList");
      const list = (await context.client.get("/api/v1")).body;
      expect(listIn(list, "resources")).toContainEqual(
        expect.objectContaining({ name: "pods/log", kind: "Pod", namespaced: true, verbs: ["get"] }),
      );
    });

    test("comes with a version and OpenAPI v3", async () => {
      expect((await context.client.get("/version")).body).toMatchObject({ major: "1", minor: "36" });
      const index = (await context.client.get("/openapi/v3")).body;
      const address = textIn(index, "paths", "apis/apps/v1", "serverRelativeURL") ?? "";
      const document = (await context.client.get(address)).body;
      expect(isTree(valueIn(document, "components", "schemas", "io.k8s.api.apps.v1.Deployment"))).toBe(true);
    });

    test("answers 404 for a path nothing is served at", async () => {
      const answer = await context.client.get("/apis/no.such.group/v1/things");
      expect(answer.code).toBe(404);
    });
  });

  describe("an object", () => {
    test("gets uid, version, time and namespace when it is created", async () => {
      const answer = await context.client.post(maps(), configMap("created", { a: "b" }));
      expect(answer.code).toBe(201);
      expect(answer.body).toMatchObject({
        kind: "ConfigMap",
        metadata: { name: "created", namespace: context.namespace },
        data: { a: "b" },
      });
      for (const field of ["uid", "resourceVersion", "creationTimestamp"]) expect(textIn(answer.body, "metadata", field)).toMatch(/./);
    });

    test("is refused when its name is taken", async () => {
      await context.client.post(maps(), configMap("taken"));
      const answer = await context.client.post(maps(), configMap("taken"));
      expect(answer.body).toMatchObject({
        kind: "Status",
        code: 409,
        reason: "AlreadyExists",
        message: 'configmaps "taken" already exists',
        details: { name: "taken", kind: "configmaps" },
      });
    });

    test("gets a name from generateName", async () => {
      const answer = await context.client.post(maps(), { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "made-" } });
      expect(textIn(answer.body, "metadata", "name")).toMatch(/^made-[a-z0-9]{5}$/);
    });

    test("is refused with a bad name, an unknown namespace, or another namespace in its body", async () => {
      expect((await context.client.post(maps(), configMap("Bad_Name"))).body).toMatchObject({
        code: 422,
        reason: "Invalid",
        details: { causes: [{ field: "metadata.name" }] },
      });
      expect((await context.client.post("/api/v1/namespaces/no-such-place/configmaps", configMap("a"))).body).toMatchObject({
        code: 404,
        message: 'namespaces "no-such-place" not found',
      });
      expect((await context.client.post(maps(), { ...configMap("a"), metadata: { name: "a", namespace: "default" } })).code).toBe(400);
    });

    test("requests what it limits when it is a pod, and not when it is a template", async () => {
      const path = `/api/v1/namespaces/${context.namespace}/pods`;
      const resources = { requests: { memory: "16Mi" }, limits: { cpu: "100m", memory: "32Mi" } };
      const metadata = { name: "limited" };
      const spec = { containers: [{ name: "web", image: "example/web:1", resources }] };
      const { body } = await context.client.post(path, { apiVersion: "v1", kind: "Pod", metadata, spec });
      expect(body).toMatchObject({ spec: { containers: [{ resources: { ...resources, requests: { cpu: "100m", memory: "16Mi" } } }] } });
      await context.client.delete(`${path}/limited`, { gracePeriodSeconds: 0 });
      const deployment = context.deployment("limited");
      const template = { metadata: { labels: { app: "limited" } }, spec };
      const made = await context.client.post(`/apis/apps/v1/namespaces/${context.namespace}/deployments?dryRun=All`, {
        ...deployment,
        spec: { ...treeIn(deployment, "spec"), template },
      });
      expect(valueIn(made.body, "spec", "template", "spec", "containers", 0, "resources")).toEqual(resources);
    });

    test("is not found with the API server's words", async () => {
      expect((await context.client.get(`${maps()}/absent`)).body).toMatchObject({
        kind: "Status",
        status: "Failure",
        code: 404,
        reason: "NotFound",
        message: 'configmaps "absent" not found',
      });
    });

    test("is replaced only from its latest version", async () => {
      const made = (await context.client.post(maps(), configMap("raced", { a: "1" }))).body;
      const first = await context.client.put(`${maps()}/raced`, { ...made, data: { a: "2" } });
      expect(first.code).toBe(200);
      const second = await context.client.put(`${maps()}/raced`, { ...made, data: { a: "3" } });
      expect(second.body).toMatchObject({ code: 409, reason: "Conflict" });
      expect(textIn(second.body, "message")).toContain("the object has been modified");
    });

    test("keeps its version when nothing changes", async () => {
      const made = (await context.client.post(maps(), configMap("same", { a: "1" }))).body;
      const again = (await context.client.put(`${maps()}/same`, made)).body;
      expect(textIn(again, "metadata", "resourceVersion")).toBe(textIn(made, "metadata", "resourceVersion"));
    });

    test("with an unknown field is refused under Strict, warned about under Warn", async () => {
      const pod = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "odd" }, data: {}, colour: "red" };
      const strict = await context.client.post(`${maps()}?fieldValidation=Strict`, pod);
      expect(strict.code).toBe(400);
      expect(textIn(strict.body, "message")).toContain('strict decoding error: unknown field "colour"');
      const warned = await context.client.post(`${maps()}?fieldValidation=Warn`, pod);
      expect(warned.code).toBe(201);
      expect(String(warned.headers["warning"])).toContain("unknown field");
      expect(warned.body["colour"]).toBeUndefined();
    });

    test("with a wrong type is refused", async () => {
      const answer = await context.client.post(`/apis/apps/v1/namespaces/${context.namespace}/deployments`, {
        ...context.deployment("typed"),
        spec: { ...treeIn(context.deployment("typed"), "spec"), replicas: "two" },
      });
      expect(answer.code).toBe(400);
    });

    test("is not stored by a dry run", async () => {
      expect((await context.client.post(`${maps()}?dryRun=All`, configMap("dry"))).code).toBe(201);
      expect((await context.client.get(`${maps()}/dry`)).code).toBe(404);
    });

    test("has a generation that grows with its spec and not with its status", async () => {
      const path = `/apis/networking.k8s.io/v1/namespaces/${context.namespace}/ingresses`;
      const spec = { defaultBackend: { service: { name: "web", port: { number: 80 } } } };
      const made = (
        await context.client.post(path, { apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata: { name: "counted" }, spec })
      ).body;
      expect(numberIn(made, "metadata", "generation")).toBe(1);
      const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
      const reported = (await context.client.patch(`${path}/counted/status`, "merge", { spec: { defaultBackend: null }, status })).body;
      expect(reported).toMatchObject({ metadata: { generation: 1 }, spec, status });
      const changed = (
        await context.client.patch(`${path}/counted`, "merge", {
          spec: { defaultBackend: { service: { port: { number: 81 } } } },
          status: { loadBalancer: null },
        })
      ).body;
      expect(changed).toMatchObject({ metadata: { generation: 2 }, status });
    });
  });

  describe("a list", () => {
    test("comes in pages that all show the state of the first", async () => {
      for (const index of [1, 2, 3, 4, 5]) await context.client.post(maps(), configMap(`page-${index}`, {}, { suite: "pages" }));
      const first = (await context.client.get(`${maps()}?labelSelector=suite%3Dpages&limit=2`)).body;
      expect(listIn(first, "items").map((item) => textIn(item, "metadata", "name"))).toEqual(["page-1", "page-2"]);
      await context.client.post(maps(), configMap("page-6", {}, { suite: "pages" }));
      await context.client.delete(`${maps()}/page-3`);
      const names: unknown[] = [];
      let page = first;
      for (let token = textIn(page, "metadata", "continue"); token; token = textIn(page, "metadata", "continue")) {
        page = (await context.client.get(`${maps()}?labelSelector=suite%3Dpages&limit=2&continue=${encodeURIComponent(token)}`)).body;
        names.push(...listIn(page, "items").map((item) => textIn(item, "metadata", "name")));
        expect(textIn(page, "metadata", "resourceVersion")).toBe(textIn(first, "metadata", "resourceVersion"));
      }
      expect(names).toEqual(["page-3", "page-4", "page-5"]);
    });

    test("is selected by labels and fields", async () => {
      await context.client.post(maps(), configMap("sel-a", {}, { tier: "front", env: "one" }));
      await context.client.post(maps(), configMap("sel-b", {}, { tier: "back", env: "two" }));
      const names = async (query: string): Promise<unknown[]> =>
        listIn((await context.client.get(`${maps()}?${query}`)).body, "items").map((item) => textIn(item, "metadata", "name"));
      expect(await names("labelSelector=tier%20in%20(front%2Cback)%2Cenv!%3Done")).toEqual(["sel-b"]);
      expect(await names("labelSelector=tier%2C!absent%2Cenv%20notin%20(two)")).toEqual(["sel-a"]);
      expect(await names("fieldSelector=metadata.name%3Dsel-b")).toEqual(["sel-b"]);
      expect((await context.client.get(`${maps()}?fieldSelector=data.a%3Db`)).code).toBe(400);
      expect((await context.client.get(`${maps()}?labelSelector=a%20b%20c`)).code).toBe(400);
    });

    test("can be a Table or metadata only", async () => {
      await context.client.post(maps(), configMap("shown", { a: "1", b: "2" }, { suite: "table" }));
      const path = `${maps()}?labelSelector=suite%3Dtable`;
      const table = (await context.client.get(path, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" })).body;
      expect(table).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
      expect(listIn(table, "columnDefinitions").map((column) => textIn(column, "name"))).toEqual(["Name", "Data", "Age"]);
      expect(listIn(table, "rows", 0, "cells").slice(0, 2).map(String)).toEqual(["shown", "2"]);
      expect(textIn(table, "rows", 0, "object", "kind")).toBe("PartialObjectMetadata");
      const partial = (await context.client.get(path, { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" })).body;
      expect(partial["kind"]).toBe("PartialObjectMetadataList");
      expect(valueIn(partial, "items", 0, "data")).toBeUndefined();
    });

    test("of unknown form is refused with 406", async () => {
      expect((await context.client.get(maps(), { accept: "text/csv" })).code).toBe(406);
    });
  });

  describe("a watch", () => {
    const typesOf = (events: readonly Tree[]): unknown[] => events.map((event) => event["type"]);

    test("reports every change after a version, in order", async () => {
      const list = (await context.client.get(maps())).body;
      await context.client.post(maps(), configMap("seen", { a: "1" }));
      await context.client.patch(`${maps()}/seen`, "merge", { data: { a: "2" } });
      await context.client.delete(`${maps()}/seen`);
      const from = textIn(list, "metadata", "resourceVersion");
      const events = await context.client.watch(
        `${maps()}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3Dseen`,
        (all) => all.length === 3,
      );
      expect(typesOf(events)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
      const versions = events.map((event) => Number(textIn(event, "object", "metadata", "resourceVersion")));
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      expect(new Set(versions).size).toBe(3);
    });

    test("starts with the present objects and a bookmark on request", async () => {
      await context.client.post(maps(), configMap("initial", {}, { suite: "initial" }));
      const query =
        "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=suite%3Dinitial";
      const events = await context.client.watch(`${maps()}?${query}`, (all) => all.at(-1)?.["type"] === "BOOKMARK");
      expect(typesOf(events)).toEqual(["ADDED", "BOOKMARK"]);
      expect(valueIn(events.at(-1), "object", "metadata", "annotations", "k8s.io/initial-events-end")).toBe("true");
    });

    test("says DELETED for an object that stops matching", async () => {
      const list = (await context.client.get(maps())).body;
      await context.client.post(maps(), configMap("moving", {}, { watched: "yes" }));
      await context.client.patch(`${maps()}/moving`, "merge", { metadata: { labels: { watched: null } } });
      const events = await context.client.watch(
        `${maps()}?watch=true&labelSelector=watched%3Dyes&resourceVersion=${textIn(list, "metadata", "resourceVersion")}`,
        (all) => all.length === 2,
      );
      expect(typesOf(events)).toEqual(["ADDED", "DELETED"]);
    });

    test("ends by itself after timeoutSeconds", async () => {
      const events = await context.client.watch(`${maps()}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dnothing`, () => false);
      expect(events).toEqual([]);
    });
  });
}
