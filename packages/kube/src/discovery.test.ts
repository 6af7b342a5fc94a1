import { describe, expect, test } from "vitest";

import { parseAggregatedDiscovery, parseGroupVersions, parseResourceList, parseStaleGroupVersions } from "./discovery.ts";

describe("aggregated discovery", () => {
  const document = {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: [
      {
        metadata: { name: "autoscaling", creationTimestamp: null },
        versions: [
          {
            version: "v2",
            resources: [
              {
                resource: "horizontalpodautoscalers",
                responseKind: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
                scope: "Namespaced",
                shortNames: ["hpa"],
                verbs: ["get", "list", "watch"],
                subresources: [{ subresource: "status", responseKind: { kind: "HorizontalPodAutoscaler" }, verbs: ["get"] }],
              },
            ],
          },
          {
            version: "v1",
            resources: [
              { resource: "horizontalpodautoscalers", responseKind: { kind: "HorizontalPodAutoscaler" }, scope: "Namespaced", verbs: [] },
            ],
          },
        ],
      },
      {
        versions: [
          { version: "v1", resources: [{ resource: "nodes", responseKind: { kind: "Node" }, scope: "Cluster", verbs: ["list"] }] },
        ],
      },
    ],
  };

  test("keeps the preferred version of each resource, with scope and subresources", () => {
    expect(parseAggregatedDiscovery(document)).toEqual([
      {
        group: "autoscaling",
        version: "v2",
        kind: "HorizontalPodAutoscaler",
        resource: "horizontalpodautoscalers",
        namespaced: true,
        verbs: ["get", "list", "watch"],
        subresources: ["status"],
        shortNames: ["hpa"],
      },
      { group: "", version: "v1", kind: "Node", resource: "nodes", namespaced: false, verbs: ["list"], subresources: [], shortNames: [] },
    ]);
  });

  test("names the group versions whose server does not answer", () => {
    const versions = [
      { version: "v1", freshness: "Stale", resources: [] },
      { version: "v2", freshness: "Stale", resources: [{ resource: "pods" }] },
      { version: "v3", freshness: "Current", resources: [] },
    ];
    const stale = { kind: "APIGroupDiscoveryList", items: [{ metadata: { name: "metrics.k8s.io" }, versions }, { versions: 3 }] };
    expect(parseStaleGroupVersions(stale)).toEqual([{ group: "metrics.k8s.io", version: "v1" }]);
    expect(parseStaleGroupVersions(null)).toEqual([]);
  });

  test("says undefined for a plain document, so that the caller falls back", () => {
    expect(parseAggregatedDiscovery({ kind: "APIGroupList", groups: [] })).toBeUndefined();
    expect(parseAggregatedDiscovery(null)).toBeUndefined();
  });
});

describe("plain discovery", () => {
  test("names group versions, the preferred first", () => {
    const groups = {
      kind: "APIGroupList",
      groups: [{ name: "x.io", preferredVersion: { version: "v1" }, versions: [{ version: "v1beta1" }, { version: "v1" }] }],
    };
    expect(parseGroupVersions({ kind: "APIVersions", versions: ["v1"] })).toEqual([{ group: "", version: "v1" }]);
    expect(parseGroupVersions(groups)).toEqual([
      { group: "x.io", version: "v1" },
      { group: "x.io", version: "v1beta1" },
    ]);
  });

  test("turns entries with a slash into subresources", () => {
    const resources = {
      kind: "APIResourceList",
      groupVersion: "apps/v1",
      resources: [
        { name: "deployments", kind: "Deployment", namespaced: true, verbs: ["list"], shortNames: ["deploy"] },
        { name: "deployments/scale", kind: "Scale", namespaced: true, verbs: ["get"] },
      ],
    };
    expect(parseResourceList(resources, { group: "apps", version: "v1" })).toEqual([
      {
        group: "apps",
        version: "v1",
        kind: "Deployment",
        resource: "deployments",
        namespaced: true,
        verbs: ["list"],
        subresources: ["scale"],
        shortNames: ["deploy"],
      },
    ]);
  });
});
