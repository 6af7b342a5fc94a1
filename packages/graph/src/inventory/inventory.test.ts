import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { parseInventoryId, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { buildGraph } from "../build-graph.ts";
import { parseLabelSelector } from "../label-selector.ts";
import { ResourceGraph } from "../resource-graph.ts";
import { inventoriesOf, missingEntriesOf } from "./inventories-of.ts";
import type { ManagedBy } from "./managed-by.ts";
import { managerOf } from "./manager-of.ts";
import { membersOf, type Membership } from "./members-of.ts";
import { ScopeIndex } from "./scope-index.ts";
import type { ScopeNode, ScopeSelector } from "./scope-selector.ts";

const FIXTURES = new URL("../../fixtures/inventory/", import.meta.url);

/** One file, one case: `{title, …}`. */
function casesOf<T>(folder: string): (readonly [title: string, each: T])[] {
  const files = readdirSync(new URL(`${folder}/`, FIXTURES)).sort();
  return files.map((file) => {
    // The folder says what its files hold.
    const each = JSON.parse(readFileSync(new URL(`${folder}/${file}`, FIXTURES), "utf8")) as T & { readonly title: string };
    return [`${file}: ${each.title}`, each];
  });
}

describe("managerOf", () => {
  interface MarkCase {
    readonly object: KubeObject;
    readonly expect: ManagedBy | null;
  }

  test.each(casesOf<MarkCase>("managed-by"))("%s", (_title, { object, expect: expected }) => {
    expect(managerOf(object) ?? null).toEqual(expected);
  });
});

describe("inventoriesOf", () => {
  interface InventoryCase {
    readonly object: KubeObject;
    readonly expect: { readonly inventory: ManagedBy; readonly targets: readonly ObjectKey[] } | null;
  }

  test.each(casesOf<InventoryCase>("inventories"))("%s", (_title, { object, expect: expected }) => {
    const entries = inventoriesOf(object);
    expect(entries.map(({ target }) => target)).toEqual(expected?.targets ?? []);
    for (const { inventory, listedBy } of entries) {
      expect(inventory).toEqual(expected?.inventory);
      expect(listedBy).toMatchObject({ kind: object.kind, name: object.metadata.name });
    }
  });

  test("an id needs all four fields", () => {
    expect(parseInventoryId("shop_web_apps_Deployment")).toEqual({ namespace: "shop", name: "web", group: "apps", kind: "Deployment" });
    for (const id of ["", "_", "__", "___", "a_b_c", "shop__apps_Deployment", "shop_web_apps_"])
      expect(parseInventoryId(id)).toBeUndefined();
  });
});

describe("membersOf", () => {
  interface ScopeCase {
    readonly objects: readonly KubeObject[];
    readonly selector: ScopeSelector;
    readonly expect: Readonly<Record<string, Membership>>;
  }

  test.each(casesOf<ScopeCase>("scopes"))("%s", (_title, { objects, selector, expect: expected }) => {
    const graph = buildGraph(objects);
    expect(Object.fromEntries(membersOf(graph, selector))).toEqual(expected);
    const index = new ScopeIndex(selector);
    index.apply(graph.takeChanges());
    expect(Object.fromEntries(index.members())).toEqual(expected);
  });

  test("an object that is given another owner leaves with the one and comes with the other", () => {
    const of = (name: string, labels: Record<string, string>, owner?: string): KubeObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name,
        namespace: "shop",
        uid: name,
        labels,
        ...(owner === undefined
          ? {}
          : { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: owner, uid: owner, controller: true }] }),
      },
    });
    const labels = parseLabelSelector({ matchLabels: { app: "web" } });
    if (labels === undefined) throw new Error("this is a selector");
    const graph = new ResourceGraph();
    const index = new ScopeIndex({ labels });
    const membershipAfter = (...objects: readonly KubeObject[]): Membership | undefined => {
      for (const each of objects) graph.upsert(each);
      index.apply(graph.takeChanges());
      return index.membershipOf("child");
    };
    expect(membershipAfter(of("in", { app: "web" }), of("out", {}), of("child", {}, "out"))).toBeUndefined();
    expect(membershipAfter(of("child", {}, "in"))).toBe("generated");
    expect(membershipAfter(of("child", {}, "out"))).toBeUndefined();
  });

  describe("an index, whose inventory changes", () => {
    const requested: ManagedBy = { tool: "cli-utils", name: "inv" };
    const listOf = (name: string, ...listed: readonly string[]): KubeObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "shop", uid: name, labels: { "cli-utils.sigs.k8s.io/inventory-id": "inv" } },
      data: Object.fromEntries(listed.map((each) => [`shop_${each}__Secret`, ""])),
    });
    const secret = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "shop", uid: name } });
    const opened = (): ((...objects: readonly KubeObject[]) => readonly string[]) => {
      const graph = new ResourceGraph();
      const index = new ScopeIndex({ inventory: requested });
      return (...objects) => {
        for (const each of objects) graph.upsert(each);
        index.apply(graph.takeChanges());
        return [...index.members().keys()].sort();
      };
    };

    test("an object comes when it is listed and leaves when it no longer is", () => {
      const membersAfter = opened();
      expect(membersAfter(listOf("list"), secret("a"))).toEqual([]);
      expect(membersAfter(listOf("list", "a"))).toEqual(["a"]);
      expect(membersAfter(listOf("list"))).toEqual([]);
    });

    test("what two list is a member as long as one of them does", () => {
      const membersAfter = opened();
      expect(membersAfter(listOf("one", "a"), listOf("two", "a"), secret("a"))).toEqual(["a"]);
      expect(membersAfter(listOf("one"))).toEqual(["a"]);
      expect(membersAfter(listOf("two"))).toEqual([]);
    });

    test("a ghost that is called like an object that is there does not take its name", () => {
      const index = new ScopeIndex({ inventory: requested });
      const node = (id: string, presence: ScopeNode["presence"], object?: KubeObject): ScopeNode => {
        return { id, group: "", kind: "Secret", namespace: "shop", name: "a", presence, ownerId: "", ...(object && { object }) };
      };
      index.upsert(node("a", "present", secret("a")));
      index.upsert(node("ghost", "missing"));
      index.upsert({ ...node("list", "present", listOf("list", "a")), kind: "ConfigMap", name: "list" });
      expect([...index.members()]).toEqual([["a", "managed"]]);
    });
  });

  test("a selector of labels is that of the package", () => {
    const labels = parseLabelSelector({ matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] });
    const graph = buildGraph([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop", uid: "a" } }]);
    expect([...membersOf(graph, labels === undefined ? {} : { labels })]).toEqual([["a", "managed"]]);
  });
});

describe("missingEntriesOf", () => {
  const kustomization = {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: "apps", namespace: "flux-system", uid: "k" },
    status: {
      inventory: {
        entries: ["shop_here__ConfigMap", "shop_gone__ConfigMap", "stage_gone__ConfigMap", "shop_x__Secret"].map((id) => ({ id })),
      },
    },
  };
  const here = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "here", namespace: "shop", uid: "c" } };
  // Refers to what is missing, so that a ghost of it stands in the graph.
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "shop", uid: "p" },
    spec: { volumes: [{ configMap: { name: "gone" } }] },
  };
  const nodes = buildGraph([kustomization, here, pod]).nodes();
  const namesOf = (...[access, inventory]: [Parameters<typeof missingEntriesOf>[1], ManagedBy?]): string[] =>
    missingEntriesOf(nodes, access, inventory).map(({ target }) => `${target.namespace}/${target.name}`);

  test("what is listed, not there, and of a synced kind is missing; a ghost does not make it there", () => {
    expect(namesOf([{ group: "", kind: "ConfigMap", access: "synced" }])).toEqual(["shop/gone", "stage/gone"]);
  });

  test("a kind that is not synced, or not in that namespace, leaves it open", () => {
    expect(namesOf([])).toEqual([]);
    expect(namesOf([{ group: "", kind: "ConfigMap", access: "not-visible" }])).toEqual([]);
    expect(namesOf([{ group: "", kind: "ConfigMap", access: "synced", namespaces: ["shop"] }])).toEqual(["shop/gone"]);
  });

  test("only lines of the requested inventory count", () => {
    const access = [{ group: "", kind: "ConfigMap", access: "synced" }] as const;
    expect(namesOf(access, { tool: "flux-kustomization", name: "flux-system/apps" })).toHaveLength(2);
    expect(namesOf(access, { tool: "flux-kustomization", name: "flux-system/other" })).toEqual([]);
  });
});
