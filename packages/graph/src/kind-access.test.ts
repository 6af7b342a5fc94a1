import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { ResourceGraph } from "./resource-graph.ts";

function podWith(secret: string): KubeObject {
  const spec = { volumes: [{ name: "v", secret: { secretName: secret } }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name: `needs-${secret}`, namespace: "env", uid: secret }, spec };
}

const SECRETS = { group: "", kind: "Secret", access: "synced" } as const;

test("W5: what is referred to only since a kind was read last is not called missing", () => {
  const graph = new ResourceGraph();
  graph.upsert(podWith("old"));
  graph.setKindAccess(SECRETS);
  graph.setKindAccess({ ...SECRETS, look: 1 });
  graph.upsert(podWith("new"));
  expect(graph.node("/Secret/env/old")?.presence).toBe("missing");
  expect(graph.node("/Secret/env/new")?.presence).toBe("not-visible");
  // The same look again says nothing new, the next one does.
  graph.setKindAccess({ ...SECRETS, look: 1 });
  expect(graph.node("/Secret/env/new")?.presence).toBe("not-visible");
  graph.setKindAccess({ ...SECRETS, look: 2 });
  expect(graph.node("/Secret/env/new")?.presence).toBe("missing");
});

test("W5: once a kind is watched again whatever it lacks is missing", () => {
  const graph = new ResourceGraph();
  graph.setKindAccess({ ...SECRETS, look: 1 });
  graph.upsert(podWith("new"));
  expect(graph.missingReferences()).toEqual([]);
  graph.setKindAccess(SECRETS);
  expect(graph.missingReferences().map(({ node }) => node.id)).toEqual(["/Secret/env/new"]);
});
