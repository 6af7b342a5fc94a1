import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import type { CustomEdgeRule } from "./custom-edge-rule.ts";
import { ResourceGraph } from "./resource-graph.ts";

const POD: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "shop", name: "cart", uid: "pod", labels: { config: "settings" } },
  spec: { volumes: [{ name: "files", configMap: { name: "files" } }] },
};
const SETTINGS: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop", name: "settings", uid: "settings" } };
const RULE: CustomEdgeRule = {
  id: "config",
  from: { group: "", kind: "Pod" },
  class: "mount",
  path: "$.metadata.labels.config",
  to: { group: "", kind: "ConfigMap" },
};

/** References are resolved at the first read, by whichever method that is. */
function unobservedGraph(): ResourceGraph {
  const graph = new ResourceGraph();
  graph.setKindAccess({ group: "", kind: "ConfigMap", access: "synced" });
  graph.upsert(POD);
  return graph;
}

test("missing references are found by the first read", () => {
  expect(unobservedGraph().missingReferences()).toMatchObject([{ node: { name: "files" }, referencedBy: [{ id: "pod" }] }]);
});

test("the lines of one node are found by the first read", () => {
  expect(unobservedGraph().edgesOf("pod")).toMatchObject([{ to: "/ConfigMap/shop/files" }]);
});

test("rules that are added before the first read draw each line once, and remove it again", () => {
  const graph = unobservedGraph();
  graph.setCustomEdges([RULE]);
  expect(graph.edgesOf("pod")).toMatchObject([{ to: "/ConfigMap/shop/settings" }, { to: "/ConfigMap/shop/files" }]);
  graph.upsert(SETTINGS);
  expect(graph.edgesOf("settings")).toMatchObject([{ from: "pod", kind: "custom:config" }]);
  graph.setCustomEdges([]);
  expect(graph.edges()).toMatchObject([{ to: "/ConfigMap/shop/files" }]);
});
