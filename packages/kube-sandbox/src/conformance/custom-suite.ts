import { beforeAll, describe, expect, test } from "vitest";

import { listIn, textIn, valueIn, type Tree } from "../json-tree.ts";
import { answerOnce } from "./client.ts";
import type { SuiteContext } from "./suite-context.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Custom resources of a kind made on the fly. */
export function describeCustomResources(context: SuiteContext): void {
  describe("a custom resource", () => {
    const group = (): string => `${context.namespace}.example.test`;
    const path = (): string => `/apis/${group()}/v1/namespaces/${context.namespace}/gadgets`;
    const gadget = (name: string, spec: Tree): Tree => ({ apiVersion: `${group()}/v1`, kind: "Gadget", metadata: { name }, spec });

    beforeAll(async () => {
      const text = { type: "string" };
      const schema = {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              required: ["size"],
              properties: {
                size: { type: "integer", minimum: 1 },
                colour: { ...text, enum: ["red", "blue"], default: "red" },
                replicas: { type: "integer" },
              },
            },
            status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      };
      const subresources = { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } };
      const columns = [
        { name: "Size", type: "integer", jsonPath: ".spec.size" },
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      ];
      const crd = {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `gadgets.${group()}` },
        spec: {
          group: group(),
          scope: "Namespaced",
          names: { plural: "gadgets", singular: "gadget", kind: "Gadget", shortNames: ["gg"] },
          versions: [{ name: "v1", served: true, storage: true, schema, subresources, additionalPrinterColumns: columns }],
        },
      };
      const made = await context.client.post(CRDS, crd);
      expect(made.code).toBe(201);
      await context.client.object(CRDS, `gadgets.${group()}`, (object) =>
        listIn(object, "status", "conditions").some((one) => textIn(one, "type") === "Established" && textIn(one, "status") === "True"),
      );
      // A real server starts to serve a moment after it says so.
      expect((await answerOnce(200, () => context.client.get(path()))).code).toBe(200);
    });

    test("is created with defaults, without unknown fields", async () => {
      const answer = await context.client.post(path(), { ...gadget("first", { size: 2, weight: 3 }), status: { ready: true } });
      expect(answer.code).toBe(201);
      expect(answer.body).toMatchObject({ kind: "Gadget", metadata: { generation: 1 }, spec: { size: 2, colour: "red" } });
      expect(valueIn(answer.body, "spec", "weight")).toBeUndefined();
      expect(answer.body["status"]).toBeUndefined();
    });

    test("is refused when its schema says so", async () => {
      for (const spec of [{}, { size: "big" }, { size: 0 }, { size: 1, colour: "green" }]) {
        expect((await context.client.post(path(), gadget("wrong", spec))).body).toMatchObject({ code: 422, reason: "Invalid" });
      }
      expect((await context.client.post(`${path()}?fieldValidation=Strict`, gadget("wrong", { size: 1, weight: 2 }))).code).toBe(400);
    });

    test("has a status of its own and a scale", async () => {
      await context.client.post(path(), gadget("second", { size: 1, replicas: 2 }));
      const reported = await context.client.patch(`${path()}/second/status`, "merge", {
        spec: { size: 9 },
        status: { replicas: 1, conditions: [{ type: "Ready", status: "True" }] },
      });
      expect(reported.body).toMatchObject({ metadata: { generation: 1 }, spec: { size: 1 }, status: { replicas: 1 } });
      const changed = await context.client.patch(`${path()}/second`, "merge", { spec: { size: 3 }, status: { replicas: 9 } });
      expect(changed.body).toMatchObject({ metadata: { generation: 2 }, spec: { size: 3 }, status: { replicas: 1 } });
      expect((await context.client.get(`${path()}/second/scale`)).body).toMatchObject({
        kind: "Scale",
        spec: { replicas: 2 },
        status: { replicas: 1 },
      });
    });

    test("shows its printer columns, its watch, its apply", async () => {
      await context.client.post(path(), gadget("third", { size: 3 }));
      const table = (await context.client.get(`${path()}/third`, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" })).body;
      expect(listIn(table, "columnDefinitions").map((column) => textIn(column, "name"))).toEqual(["Name", "Size", "Ready"]);
      expect(listIn(table, "rows", 0, "cells")).toEqual(["third", 3, null]);
      const applied = await context.client.patch(`${path()}/third?fieldManager=one&force=true`, "apply", gadget("third", { size: 4 }));
      expect(applied.body).toMatchObject({ spec: { size: 4 } });
      expect((await context.client.patch(`${path()}/third`, "strategic", { spec: { size: 5 } })).code).toBe(415);
      const events = await context.client.watch(`${path()}?watch=true&fieldSelector=metadata.name%3Dthird`, (all) => all.length === 1);
      expect(textIn(events[0], "object", "kind")).toBe("Gadget");
    });

    test("that is too old to be watched from is reported as expired", async () => {
      const events = await context.client.watch(`${path()}?watch=true&resourceVersion=1`, (all) => all.length === 1);
      expect(events[0]).toMatchObject({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } });
    });

    test("is listed by kubectl under its short name, and goes with its definition", async () => {
      await context.client.post(path(), gadget("last", { size: 7 }));
      const shown = await context.kubectl(["get", "gg", "last", "--no-headers"]);
      expect(shown.stdout).toMatch(/^last\s+7/);
      await context.client.delete(`${CRDS}/gadgets.${group()}`);
      await context.client.gone(CRDS, `gadgets.${group()}`);
    });
  });
}
