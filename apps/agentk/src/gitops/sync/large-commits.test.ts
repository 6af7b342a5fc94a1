import type { KubeObject, ObjectKey } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import type { ServedKinds } from "../cluster/served-kinds.ts";
import { placeManifests } from "../manifests/place-manifests.ts";
import type { Manifest } from "../manifests/manifest.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { Turns } from "../manifests/turns.ts";
import { wavesOf } from "../manifests/waves.ts";
import { countedSteps } from "../testing/counted-steps.ts";
import { DEFAULT_OPTIONS, EMPTY_INVENTORY } from "../testing/sync-made.ts";
import { leavingObjects } from "./leaving-objects.ts";
import { readCommit } from "./read-commit.ts";

/** A cap that is raised, eight times that, and how much the work may grow: linear is 8. */
const [FEW, MANY, GROWTH] = [5_000, 40_000, 8.5];

type Shape = (index: number, count: number) => Record<string, unknown>;

const map = (name: string, dependsOn = ""): Record<string, unknown> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop", ...(dependsOn !== "" && { annotations: { "config.kubernetes.io/depends-on": dependsOn } }) },
});
const on = (name: string): string => `/namespaces/shop/ConfigMap/${name}`;

const SHAPES: readonly (readonly [string, Shape])[] = [
  [
    "a Namespace and what lives in it",
    (i) => (i === 0 ? { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } } : map(`m${i}`)),
  ],
  ["a chain of dependencies", (i) => map(`m${i}`, i === 0 ? "" : on(`m${i - 1}`))],
  ["a chain that waits for a circle", (i) => map(`m${i}`, i === 0 ? on("m1") : on(`m${i - 1}`))],
  ["one circle", (i, count) => map(`m${i}`, on(`m${(i + 1) % count}`))],
  ["one object again and again", () => map("same")],
  [
    "definitions and an object of each",
    (i) =>
      i % 2 === 0
        ? {
            apiVersion: "apiextensions.k8s.io/v1",
            kind: "CustomResourceDefinition",
            metadata: { name: `k${i}s.sea` },
            spec: {
              group: "sea",
              scope: "Namespaced",
              names: { kind: `K${i}`, plural: `k${i}s` },
              versions: [{ name: "v1", served: true }],
            },
          }
        : { apiVersion: "sea/v1", kind: `K${i - 1}`, metadata: { name: "o" } },
  ],
];

const RESOURCES: Readonly<Record<string, string>> = {
  Namespace: "namespaces",
  ConfigMap: "configmaps",
  CustomResourceDefinition: "customresourcedefinitions",
};

function served({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">) {
  const resource = RESOURCES[kind];
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return resource === undefined ? undefined : { group: group ?? "", version: version ?? "", resource, namespaced: kind === "ConfigMap" };
}

const manifestsOf = (shape: Shape, count: number): readonly Manifest[] =>
  Array.from({ length: count }, (_, index) => ({
    object: shape(index, count) as unknown as KubeObject,
    source: "a.yaml",
    line: index,
    text: "",
  }));

/** Turns by objects alone, and the most objects between two rests. @param goesOn called at each step; the work is cancelled when it returns false */
function counting(goesOn = () => true): { readonly turns: Turns; readonly longest: () => number } {
  let [objects, longest] = [0, 0];
  const turns = new Turns({ now: () => 0, rest: async () => void (objects = 0) });
  const step = turns.step.bind(turns);
  turns.step = () => {
    if (!goesOn()) throw new Error("that are too many steps");
    objects += 1;
    longest = Math.max(longest, objects);
    return step();
  };
  return { turns, longest: () => longest };
}

async function ordered(manifests: readonly Manifest[], turns: Turns): Promise<readonly PlacedManifest[]> {
  const { placed } = await placeManifests(manifests, { defaultNamespace: "shop", served, turns });
  const { waves } = await wavesOf(placed, turns);
  return waves.flat();
}

describe("security-3 A3, T41: the work for a commit grows with its objects and no faster", () => {
  test.each(SHAPES)("placing and ordering: %s", async (_name, shape) => {
    const steps = (count: number, max = Infinity): Promise<number> => {
      const manifests = manifestsOf(shape, count);
      return countedSteps((soFar) => ordered(manifests, counting(() => soFar() <= max).turns));
    };
    const few = await steps(FEW);
    expect(await steps(MANY, few * GROWTH)).toBeLessThan(few * GROWTH);
  });

  test.each(SHAPES.slice(0, 2))("no more than 500 objects are handled between two yields: %s", async (_name, shape) => {
    const { turns, longest } = counting();
    const manifests = await ordered(manifestsOf(shape, MANY), turns);
    const objects = new Map(manifests.map(({ key }, index): [string, ObjectKey] => [String(index), key]));
    await leavingObjects({ ...EMPTY_INVENTORY, objects }, manifests, turns);
    expect(longest()).toBeLessThanOrEqual(500);
  });
});

const text = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n---\n`;
const file = (source: string, from: number, to: number) => ({
  source,
  data: Buffer.from(Array.from({ length: to - from }, (_, index) => text(`m${from + index}`)).join("")),
});

test("security-3 A4: a commit over the limit is counted and not ordered, and reading ends at the limit", async () => {
  const kindsFound: string[] = [];
  const kinds: Pick<ServedKinds, "find"> = {
    async find({ kind }) {
      kindsFound.push(kind);
      return undefined;
    },
  };
  const { turns } = counting();
  const by = { ...DEFAULT_OPTIONS, inventory: EMPTY_INVENTORY, kinds: kinds as ServedKinds, turns, signal: new AbortController().signal };
  const commit = { commitId: "c1", projectId: 7n, files: [file("a.yaml", 0, 20), file("b.yaml", 20, 60), file("c.yaml", 60, 100)] };
  expect(await readCommit(commit, { ...by, maxObjects: 30 })).toEqual({ tooMany: 100 });
  expect(kindsFound).toEqual([]);
  expect(await readCommit(commit, { ...by, maxObjects: 100 })).toHaveProperty("waves");
});
