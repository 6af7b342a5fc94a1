import { listAt, type KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { manifestAt } from "../manifests-in.ts";
import { compareManifest } from "./compare-manifest.ts";
import type { DiffTexts } from "./diff-texts.ts";

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, creationTimestamp: null, labels: { app: web } }
spec:
  replicas: 3
  paused: true
  template:
    spec:
      containers:
        - name: web
          image: web:1
          resources: { limits: { cpu: 1000m } }
        - name: side
          image: side:1
status: { replicas: 9 }
`;
const CONTAINERS = [
  { name: "side", image: "side:1", imagePullPolicy: "Always" },
  { name: "web", image: "web:1", resources: { limits: { cpu: "1" } } },
];

function textsOf(text: string, { metadata, ...rest }: Record<string, unknown>, owned: object = {}): DiffTexts | undefined {
  const [, apiVersion = "", kind = ""] = /apiVersion: (\S+)\nkind: (\S+)/.exec(text) ?? [];
  const managedFields = [{ manager: "agentk", operation: "Apply", apiVersion, fieldsV1: owned }, ...listAt(metadata, "managedFields")];
  const live: KubeObject = { apiVersion, kind, ...rest, metadata: Object.assign({ name: "web" }, metadata, { managedFields }) };
  const group = apiVersion.includes("/") ? apiVersion.split("/", 1).join("") : "";
  const manifest = manifestAt(text, { line: 0, key: { group, kind, namespace: "shop", name: "web" } });
  if (manifest === undefined) throw new Error(`no manifest in ${text}`);
  return compareManifest({ manifest, live, applier: "agentk", isSecret: false }).texts;
}

const live = (spec: object): Record<string, unknown> => ({
  metadata: { labels: { app: "web" }, uid: "1" },
  spec: { paused: true, replicas: 3, template: { spec: { containers: CONTAINERS } }, ...spec },
  status: { replicas: 3 },
});

test("both texts are the same when no field differs: order, defaults, forms of quantities and the status make no difference", () => {
  const texts = textsOf(DEPLOYMENT, live({ progressDeadlineSeconds: 600 }));
  expect(texts?.live).toBe(texts?.desired);
  expect(texts?.desired).toBe(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels:
    app: web
spec:
  replicas: 3
  paused: true
  template:
    spec:
      containers:
        - name: web
          image: web:1
          resources:
            limits:
              cpu: 1000m
        - name: side
          image: side:1
`);
});

describe("the live text differs from the desired one exactly by", () => {
  const without = (text: string, other: string): readonly string[] => {
    const lines = other.split("\n");
    return text.split("\n").filter((line) => !lines.includes(line));
  };
  interface DiffCase {
    readonly object: Record<string, unknown>;
    /** What the applier owns. */
    readonly owned?: object;
    readonly removed?: readonly string[];
    readonly added?: readonly string[];
  }
  const withSpec = (spec: object) => live({ template: { spec: { containers: CONTAINERS, ...spec } } });
  const ofPodSpec = (owned: object) => ({ "f:spec": { "f:template": { "f:spec": owned } } });
  const item = (name: string) => ({ [`k:{"name":"${name}"}`]: { ".": {} } });
  const WEB = ["        - name: web", "          image: web:1", "          resources:", "            limits:", "              cpu: 1000m"];
  test.each<[string, DiffCase]>([
    ["a changed value", { object: live({ replicas: 7 }), removed: ["  replicas: 3"], added: ["  replicas: 7"] }],
    ["a field that is gone", { object: live({ paused: undefined }), removed: ["  paused: true"] }],
    [
      "an item that is gone, while the others keep their places",
      {
        object: withSpec({ containers: [{ name: "side", image: "side:2" }] }),
        removed: [...WEB, "          image: side:1"],
        added: ["          image: side:2"],
      },
    ],
    [
      "a field of an earlier commit",
      {
        object: live({ strategy: { type: "Recreate" } }),
        owned: { "f:spec": { "f:strategy": { ".": {}, "f:type": {} } } },
        added: ["  strategy:", "    type: Recreate"],
      },
    ],
    [
      "an item of an earlier commit in a list that the manifest does not have",
      {
        object: withSpec({ volumes: [{ name: "tmp", emptyDir: {} }] }),
        owned: ofPodSpec({ "f:volumes": item("tmp") }),
        added: ["      volumes:", "        - name: tmp", "          emptyDir: {}"],
      },
    ],
    [
      "an item of an earlier commit in a list that it has",
      {
        object: withSpec({ containers: [...CONTAINERS, { name: "old" }] }),
        owned: ofPodSpec({ "f:containers": item("old") }),
        added: ["        - name: old"],
      },
    ],
  ])("%s", (_title, { object, owned, removed = [], added = [] }) => {
    const texts = textsOf(DEPLOYMENT, object, owned);
    expect(without(texts?.desired ?? "", texts?.live ?? "")).toEqual(removed);
    expect(without(texts?.live ?? "", texts?.desired ?? "")).toEqual(added);
  });
});

test("T35: values of a Secret are masked on both sides, and different ones are distinguishable", () => {
  const secret =
    "apiVersion: v1\nkind: Secret\nmetadata: { name: web, annotations: { note: canary-a } }\nstringData: { a: canary-b, b: canary-c }\n";
  const data = { a: btoa("canary-b"), b: btoa("canary-x"), c: btoa("canary-y") };
  const texts = textsOf(
    secret,
    { metadata: { annotations: { note: "canary-a" } }, data },
    { "f:data": { "f:a": {}, "f:b": {}, "f:c": {} } },
  );
  expect(texts?.desired).toContain('stringData:\n  a: "*****"\n  b: "***** (1)"\n');
  expect(texts?.live).toContain('stringData:\n  a: "*****"\n  b: "***** (2)"\ndata:\n  c: "*****"\n');
  expect(texts?.live).toContain('annotations:\n    note: "*****"\n');
  expect(JSON.stringify(texts)).not.toContain("canary");
  expect(JSON.stringify(texts)).not.toContain(btoa("canary").slice(0, -4));
});

test("aliases of the file are written out, and a change of one place is no change of the other", () => {
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web, labels: &l { a: b } }\ndata: *l\n";
  const texts = textsOf(text, { metadata: { labels: { a: "b" } }, data: { a: "c" } });
  expect(texts?.desired).toMatch(/labels:\n {4}a: b\ndata:\n {2}a: b\n$/);
  expect(texts?.live).toMatch(/labels:\n {4}a: b\ndata:\n {2}a: c\n$/);
});

test("a name that every object has changes nothing but the text", () => {
  const owned = { "f:spec": { "f:__proto__": { ".": {}, "f:polluted": {} } } };
  const spec: unknown = JSON.parse('{"__proto__":{"polluted":"yes"}}');
  const texts = textsOf("apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: web }\nspec: { a: 1 }\n", { spec }, owned);
  expect(texts?.live).toContain("polluted: yes");
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

describe("there are no texts of", () => {
  const map = (value: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { a: ${value} }\n`;
  test("a manifest or an object that is larger than 256 KiB", () => {
    const long = "x".repeat(256 * 1024);
    expect(textsOf(map(long), { data: { a: long } })).toBeUndefined();
    expect(textsOf(map("b"), { data: { a: long } })).toBeUndefined();
    expect(textsOf(map("b"), { data: { a: "c" } })).toBeDefined();
  });
  test("absurdly deep objects", () => {
    const deep = (levels: number): string =>
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: web }\nspec: ${"{a: ".repeat(levels)}1${"}".repeat(levels)}\n`;
    expect(textsOf(deep(100), { spec: {} })).toBeUndefined();
    expect(textsOf(deep(40), { spec: {} })).toBeDefined();
  });
  test("an object with more fields than are compared", () => {
    const many = Array.from({ length: 6_000 }, (_, index) => `  k${index}: a\n`).join("");
    expect(textsOf(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata:\n${many}`, { data: {} })).toBeUndefined();
  });
});
