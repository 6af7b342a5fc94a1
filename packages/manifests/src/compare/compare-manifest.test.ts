import { listAt, type KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { manifestsIn, type ManifestText } from "../manifests-in.ts";
import { compareManifest, type ManifestComparison } from "./compare-manifest.ts";

function manifestOf(text: string): ManifestText {
  const [first] = [...manifestsIn(Buffer.from(text))].filter((each) => "object" in each);
  if (first === undefined) throw new Error(`no manifest in ${text}`);
  return first;
}

function compared(text: string, live: object, applied?: object): ManifestComparison {
  const manifest = manifestOf(text);
  const { apiVersion, kind } = manifest.object;
  const entry = { manager: "agentk", operation: "Apply", apiVersion, fieldsV1: applied };
  const { metadata, ...rest } = { metadata: {}, ...live };
  const managedFields = [...(applied ? [entry] : []), ...listAt(metadata, "managedFields")];
  const object: KubeObject = { apiVersion, kind, ...rest, metadata: Object.assign({ name: "web" }, metadata, { managedFields }) };
  return compareManifest({ manifest, live: object, applier: "agentk", isSecret: false });
}

/** "line path state desired | live" of what is not the same. */
function differing(...of: Parameters<typeof compared>): readonly string[] {
  return compared(...of)
    .fields.filter(({ state }) => state !== "same")
    .map(({ line, path, state, desired, live }) => `${line} ${path} ${state} ${desired} | ${live}`);
}

const DEPLOYMENT = `# a comment
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, creationTimestamp: null, labels: { app: web } }
spec:
  replicas: 3
  minReadySeconds: 0
  selector: { matchLabels: { app: web } }
  template:
    spec:
      hostNetwork: false
      containers:
        - name: web
          image: web:1
          args: [--port, "80"]
          resources: { requests: { cpu: 1000m, memory: 1Gi } }
          ports: [{ containerPort: 80 }]
        - name: side
          image: side:1
status: { replicas: 9 }
`;

const LIVE = {
  metadata: { labels: { app: "web", other: "x" }, uid: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: {
    replicas: 3,
    progressDeadlineSeconds: 600,
    selector: { matchLabels: { app: "web" } },
    template: {
      spec: {
        dnsPolicy: "ClusterFirst",
        containers: [
          { name: "injected", image: "mesh:1" },
          { name: "side", image: "side:1", imagePullPolicy: "Always" },
          {
            name: "web",
            image: "web:1",
            args: ["--port", "80"],
            resources: { requests: { cpu: "1", memory: "1024Mi" } },
            ports: [{ containerPort: 80, protocol: "TCP" }],
          },
        ],
      },
    },
  },
  status: { replicas: 3 },
};

test("what is as the manifest says is the same: defaults, other managers' fields, status, order and forms of quantities are left out", () => {
  const { fields, different, compared: count, isCut } = compared(DEPLOYMENT, LIVE);
  expect(fields.filter(({ state }) => state !== "same")).toEqual([]);
  expect({ different, count, isCut }).toEqual({ different: 0, count: fields.length, isCut: false });
  expect(fields.map(({ path, line }) => `${line} ${path}`)).toContain("14 spec.template.spec.containers[web].image");
  expect(fields.map(({ path }) => path)).not.toContain("metadata.namespace");
});

describe("what differs, with its line", () => {
  const changed = (edit: (live: typeof LIVE) => void): object => {
    const live = structuredClone(LIVE);
    edit(live);
    return live;
  };
  const container = (live: typeof LIVE, name: string) => live.spec.template.spec.containers.find((each) => each.name === name);
  test.each<[string, (live: typeof LIVE) => void, readonly string[]]>([
    ["a number", (live) => void (live.spec.replicas = 5), ["6 spec.replicas different 3 | 5"]],
    [
      "a field of an item by its name",
      (live) => Object.assign(container(live, "web") ?? {}, { image: "web:2" }),
      ["14 spec.template.spec.containers[web].image different web:1 | web:2"],
    ],
    [
      "a list of texts as a whole",
      (live) => Object.assign(container(live, "web") ?? {}, { args: ["--port", "81"] }),
      ['15 spec.template.spec.containers[web].args different ["--port","80"] | ["--port","81"]'],
    ],
    [
      "a quantity that is another",
      (live) => Object.assign(container(live, "web") ?? {}, { resources: { requests: { cpu: "2", memory: "1Gi" } } }),
      ['16 spec.template.spec.containers[web].resources.requests.cpu different 1000m | "2"'],
    ],
    [
      "an item that is not there",
      (live) => void live.spec.template.spec.containers.splice(1, 1),
      ['18 spec.template.spec.containers[side] absent {"name":"side","image":"side:1"} | '],
    ],
    ["a label that is not there", (live) => Object.assign(live.metadata, { labels: {} }), ["4 metadata.labels.app absent web | "]],
    [
      "a value of another type",
      (live) => Object.assign(live.spec.selector, { matchLabels: { app: true } }),
      ["8 spec.selector.matchLabels.app different web | true"],
    ],
    [
      "a whole map that is a text",
      (live) => Object.assign(live.spec, { template: "x" }),
      [expect.stringMatching(/^9 spec\.template different \{/)],
    ],
  ])("%s", (_title, edit, expected) => {
    expect(differing(DEPLOYMENT, changed(edit))).toEqual(expected);
  });
});

test("a text that looks like a quantity is one only where quantities stand", () => {
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { cpu: 1000m, limits: 1k }\n";
  expect(differing(text, { data: { cpu: "1", limits: "1000" } })).toEqual([
    '4 data.cpu different 1000m | "1"',
    '4 data.limits different 1k | "1000"',
  ]);
});

describe("what its applier has set and the manifest does not name any more", () => {
  const text =
    "apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec:\n  ports: [{ port: 80 }]\n  selector: { app: web }\n  type: ~\n";
  const live = {
    metadata: { annotations: { old: "1", theirs: "2", "config.k8s.io/owning-inventory": "1-2" } },
    spec: {
      type: "ClusterIP",
      ports: [
        { port: 80, protocol: "TCP" },
        { port: 81, protocol: "TCP" },
      ],
      selector: { app: "web", by: "hand" },
    },
  };
  const applied = {
    "f:metadata": { "f:annotations": { ".": {}, "f:old": {}, "f:config.k8s.io/owning-inventory": {}, "f:gone": {} } },
    "f:spec": {
      "f:type": {},
      "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} }, 'k:{"port":81,"protocol":"TCP"}': { "f:port": {} } },
      "f:selector": {},
    },
  };
  test("is extra, as is an item that another manager added to an atomic list or map", () => {
    expect(differing(text, live, applied)).toEqual([
      "6 spec.selector.by extra  | hand",
      '3 metadata.annotations.old extra  | "1"',
      '5 spec.ports[81] extra  | {"port":81,"protocol":"TCP"}',
    ]);
  });
  test("is not known without managed fields of the same version", () => {
    expect(differing(text, live)).toEqual([]);
    const metadata = { managedFields: [{ manager: "agentk", operation: "Apply", apiVersion: "v2", fieldsV1: applied }] };
    expect(differing(text, { ...live, metadata })).toEqual([]);
  });
});

test("of what is owned as one, items that were added are extra, and defaults of its fields are not", () => {
  const text = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  tolerations: [{ key: spot }]
  containers:
    - name: web
      env: [{ name: POD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]
      ports: [{ containerPort: 80 }, { containerPort: 80, protocol: UDP }]
`;
  const fieldRef = { fieldPath: "metadata.name", apiVersion: "v1" };
  const ports = [
    { containerPort: 80, protocol: "TCP" },
    { containerPort: 80, protocol: "UDP" },
  ];
  const live = {
    spec: {
      tolerations: [{ key: "spot", operator: "Equal" }, { key: "gpu" }],
      containers: [{ name: "web", env: [{ name: "POD", valueFrom: { fieldRef } }], ports }],
    },
  };
  const ofPort = (protocol: string) => ({
    [`k:{"containerPort":80,"protocol":"${protocol}"}`]: { ".": {}, "f:containerPort": {}, "f:protocol": {} },
  });
  const ofContainer = {
    "f:env": { 'k:{"name":"POD"}': { "f:valueFrom": { "f:fieldRef": {} } } },
    "f:ports": { ...ofPort("UDP"), 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:containerPort": {} } },
  };
  const applied = { "f:spec": { "f:tolerations": {}, "f:containers": { 'k:{"name":"web"}': ofContainer } } };
  expect(differing(text, live, applied)).toEqual(['5 spec.tolerations[gpu] extra  | {"key":"gpu"}']);
});

test("of a set others may have added to, only what is missing differs", () => {
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  finalizers: [a/b, c/d]\n";
  const applied = { "f:metadata": { "f:finalizers": { 'v:"a/b"': {}, 'v:"c/d"': {} } } };
  expect(differing(text, { metadata: { finalizers: ["x/y", "c/d", "a/b"] } }, applied)).toEqual([]);
  expect(differing(text, { metadata: { finalizers: ["x/y", "a/b"] } }, applied)).toHaveLength(1);
});

test("who else owns what differs is named, and only then", () => {
  const managedFields = [{ manager: "kubectl-edit", operation: "Update", fieldsV1: { "f:spec": { "f:replicas": {} } } }];
  const live = { ...LIVE, spec: { ...LIVE.spec, replicas: 7 }, metadata: { ...LIVE.metadata, managedFields } };
  const { fields } = compared(DEPLOYMENT, live);
  expect(fields.filter(({ manager }) => manager !== "")).toMatchObject([{ path: "spec.replicas", manager: "kubectl-edit" }]);
});

describe("a Secret", () => {
  const text = `apiVersion: v1
kind: Secret
metadata: { name: till, annotations: { note: canary-a } }
data:
  same: |
    Y2FuYXJ5
    LWI=
  other: Y2FuYXJ5LWM=
stringData: { plain: canary-ä, changed: canary-e }
`;
  const live = {
    metadata: { annotations: { note: "canary-f" } },
    data: {
      same: btoa("canary-b"),
      other: btoa("canary-x"),
      plain: Buffer.from("canary-ä").toString("base64"),
      changed: btoa("canary-y"),
      old: btoa("canary-z"),
    },
  };
  const applied = { "f:data": { "f:same": {}, "f:other": {}, "f:plain": {}, "f:changed": {}, "f:old": {} } };

  test("T35: is compared without telling any of its values", () => {
    const comparison = compared(text, live, applied);
    expect(comparison.fields.map(({ path, state, isHidden }) => `${path} ${state} ${isHidden}`)).toEqual([
      "metadata.annotations.note different true",
      "data.same same true",
      "data.other different true",
      "stringData.plain same true",
      "stringData.changed different true",
      "data.old extra true",
    ]);
    const serialized = JSON.stringify(comparison);
    expect(serialized).not.toContain("canary");
    expect(serialized).not.toContain(btoa("canary").slice(0, -4));
  });

  test("that calls itself something else, in the file or in the cluster, tells none either", () => {
    const configMap = manifestOf(text.replace("kind: Secret", "kind: ConfigMap"));
    const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", ...live, metadata: { name: "till" } };
    expect(JSON.stringify(compareManifest({ manifest: configMap, live: object, applier: "agentk", isSecret: true }))).not.toContain(
      "canary",
    );
    const other: KubeObject = { ...object, kind: "Secret" };
    expect(JSON.stringify(compareManifest({ manifest: configMap, live: other, applier: "agentk", isSecret: false }))).not.toContain(
      "canary",
    );
  });
});

test("long texts are cut to the part around the first difference", () => {
  const long = "x".repeat(1_000);
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { a: ${long}1${long}, b: ${long} }\n`;
  const [a, b] = compared(text, { data: { a: `${long}2${long}`, b: long } }).fields;
  expect(a).toMatchObject({
    state: "different",
    desired: `…${"x".repeat(48)}1${"x".repeat(207)}…`,
    live: `…${"x".repeat(48)}2${"x".repeat(207)}…`,
  });
  expect(b).toMatchObject({ state: "same", desired: `${"x".repeat(256)}…` });
});

test("a text that could be taken for a number, a flag or nothing stands in quotes", () => {
  const texts = { a: "1", b: "true", c: " x", d: "a\nb", e: "", f: "null", g: "1e3", h: "plain text", i: "\u202Eabc", j: "-" };
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: ${JSON.stringify(texts)}\n`;
  const { fields } = compared(text, { data: texts });
  expect(fields.map(({ desired }) => desired)).toEqual([
    '"1"',
    '"true"',
    '" x"',
    '"a\\nb"',
    '""',
    '"null"',
    '"1e3"',
    "plain text",
    '"\u202Eabc"',
    '"-"',
  ]);
});

test("of many fields those that differ are listed first, in the manifest's order", () => {
  const keys = Array.from({ length: 3_000 }, (_, index) => `k${index}`);
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata:\n${keys.map((key) => `  ${key}: a\n`).join("")}`;
  const data = Object.fromEntries(keys.map((key, index) => [key, index % 1_000 === 999 ? "b" : "a"]));
  const { fields, different, compared: count } = compared(text, { data });
  expect(fields).toHaveLength(500);
  expect(fields.filter(({ state }) => state !== "same").map(({ path, line }) => `${path}:${line}`)).toEqual([
    "data.k999:1004",
    "data.k1999:2004",
    "data.k2999:3004",
  ]);
  expect({ different, count }).toEqual({ different: 3, count: 3_000 });
});

test("the comparison of an absurdly deep or large object ends", () => {
  const deep = "{a: ".repeat(200) + "1" + "}".repeat(200);
  const text = `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: web }\nspec: ${deep}\n`;
  const { spec } = manifestOf(text).object;
  expect(compared(text, { spec }).fields).toHaveLength(1);
  const many = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata:\n${Array.from({ length: 6_000 }, (_, i) => `  k${i}: a\n`).join("")}`;
  expect(compared(many, { data: {} })).toMatchObject({ compared: 5_000, isCut: true });
});

test("odd shapes of the cluster are walked around", () => {
  for (const odd of [null, 1, "x", [], [null], { containers: 3 }]) {
    expect(() =>
      compared(
        DEPLOYMENT,
        { spec: { template: { spec: odd } }, metadata: { managedFields: [odd], labels: odd } },
        { "f:spec": odd as object },
      ),
    ).not.toThrow();
  }
});
