import { readFileSync } from "node:fs";

import { INVENTORY_LABEL, OWNING_INVENTORY } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { commit, failures, map, maps, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

describe("applying", () => {
  test("objects get the mark of the inventory, the inventory lists them, and the second time nothing changes", async () => {
    expect(outcomes(await bench.sync(commit(maps("a", "b"))))).toEqual(["a applied", "b applied"]);
    expect(await bench.seen()).toEqual({ live: ["a", "b"], listed: bench.lines("a", "b") });
    const { value } = await bench.call("GET", bench.mapPath("a"));
    expect(value).toMatchObject({
      metadata: { annotations: { [OWNING_INVENTORY]: "5-7" }, managedFields: [{ manager: "agentk", operation: "Apply" }] },
    });
    expect(outcomes(await bench.sync(commit(maps("a", "b"), "c2")))).toEqual(["a unchanged", "b unchanged"]);
  });

  test.each(["ingress-controller", "certificates", "database"])(
    "a rendered chart (%s) is applied, and the second time nothing changes",
    async (chart) => {
      const text = readFileSync(new URL(`../../fixtures/charts/${chart}.yaml`, import.meta.url), "utf8").replaceAll("NS", bench.namespace);
      const first = await bench.sync(commit(text));
      expect([...first.errors, ...failures(first)]).toEqual([]);
      expect(new Set(first.results.map(({ outcome }) => outcome))).toEqual(new Set(["applied"]));
      expect(new Set((await bench.sync(commit(text))).results.map(({ outcome }) => outcome))).toEqual(new Set(["unchanged"]));
    },
  );

  test("what has drifted is put right", async () => {
    await bench.sync(commit(map("a", "data: {k: wanted}\n")));
    await bench.call("DELETE", bench.mapPath("a"));
    expect(outcomes(await bench.sync(commit(map("a", "data: {k: wanted}\n"))))).toEqual(["a applied"]);
  });

  test("one object of 200 that the API server refuses leaves the others applied, and is reported with file, line and reason", async () => {
    const names = Array.from({ length: 199 }, (_, index) => `m${index}`);
    const bad = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec:\n  ports:\n  - port: 70000\n";
    const report = await bench.sync(commit(`${maps(...names)}---\n${bad}`));
    expect(report.results.filter(({ outcome }) => outcome === "applied")).toHaveLength(199);
    expect(failures(report)).toEqual([expect.stringMatching(/^bad all\.yaml:1001 .*must be between 1 and 65535/)]);
    expect(report.state).toBe("failed");
    expect((await bench.seen()).listed).toHaveLength(199);
  });

  test("a definition and its object in one commit, and the namespace of the inventory too", async () => {
    const made = `made-${bench.count}`;
    const text = `apiVersion: sea-${bench.count}.example.com/v1\nkind: Boat\nmetadata: {name: b, namespace: ${made}}\nspec: {x: 1}\n---
apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boats.sea-${bench.count}.example.com}
spec:\n  group: sea-${bench.count}.example.com\n  scope: Namespaced\n  names: {kind: Boat, plural: boats, singular: boat, listKind: BoatList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]\n---
apiVersion: v1\nkind: Namespace\nmetadata: {name: ${made}}\n`;
    const report = await bench.sync(commit(text), { defaultNamespace: made });
    expect(failures(report)).toEqual([]);
    expect(report).toMatchObject({ state: "synced", waves: 3 });
    expect((await bench.sync(commit(text), { defaultNamespace: made })).results.map(({ outcome }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
      "unchanged",
    ]);
  });

  test("what depends on an object that is refused is not applied", async () => {
    const text = `${map("a", "  annotations: {config.kubernetes.io/depends-on: /namespaces/NS/ConfigMap/b}\n")}---\n${map("b", "data: {k: 3}\n")}`;
    const report = await bench.sync(commit(text.replace("NS", bench.namespace)));
    expect(failures(report)).toEqual([
      expect.stringMatching(/^b all\.yaml:/),
      `a all.yaml:1 depends on ConfigMap ${bench.namespace}/b, which was not applied`,
    ]);
    expect(await bench.seen()).toEqual({ live: [], listed: [] });
  });

  test("a broken file, or two inventories among the manifests, apply nothing", async () => {
    expect(await bench.sync(commit(`${map("a")}---\nkind: Pod\n`))).toMatchObject({
      state: "invalid",
      errors: [{ source: "all.yaml", line: 6 }],
    });
    const inventory = map("i", `  labels: {${INVENTORY_LABEL}: x}\n`);
    expect(await bench.sync(commit(`${inventory}---\n${inventory}---\n${map("a")}`))).toMatchObject({
      state: "invalid",
      errors: [{ line: 7, message: "a second inventory", other: { source: "all.yaml", line: 1 } }],
    });
    expect(await bench.seen()).toEqual({ live: [], listed: [] });
  });

  test("an inventory among the manifests says where the inventory is and what its id is", async () => {
    await bench.sync(commit(`${map("mine", `  labels: {${INVENTORY_LABEL}: own-id}\n`)}---\n${map("a")}`));
    expect(await bench.seen()).toEqual({ live: ["a"], listed: bench.lines("a") });
    expect((await bench.call("GET", bench.mapPath("mine"))).statusCode).toBe(200);
    expect((await bench.call("GET", bench.mapPath("a"))).value).toMatchObject({
      metadata: { annotations: { [OWNING_INVENTORY]: "own-id" } },
    });
  });

  test("a dry run changes nothing, and says what the API server would refuse", async () => {
    const report = await bench.sync(commit(`${map("a")}---\n${map("b", "data: {k: 3}\n")}`), { dryRun: "server" });
    expect(report.state).toBe("tried");
    expect(outcomes(report)).toEqual(["a applied", "b failed"]);
    await bench.sync(commit(map("c")));
    expect(outcomes(await bench.sync(commit(maps("c")), { dryRun: "server" }))).toEqual(["c unchanged"]);
    expect(outcomes(await bench.sync(commit(map("c", "data: {k: v}\n")), { dryRun: "server" }))).toEqual(["c applied"]);
    expect((await bench.sync(commit(map("a")), { dryRun: "client" })).results).toEqual([]);
    expect((await bench.seen()).live).toEqual(["c"]);
  });

  test("a value of a Secret that is refused is in no reason", async () => {
    const report = await bench.sync(
      commit(`apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {password: canary-value, other: [canary]}\n`),
    );
    expect(failures(report)).toHaveLength(1);
    expect(JSON.stringify(report.results)).not.toContain("canary");
  });
});
