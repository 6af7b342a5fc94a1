import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import type { CustomEdgeRule, NamingRule, SelectingRule } from "./custom-edge-rule.ts";
import { parseCustomEdges } from "./custom-edges.ts";
import { ResourceGraph } from "./resource-graph.ts";

type Fields = Readonly<Record<string, unknown>>;

function object(type: string, name: string, { namespace = "env", labels, ...fields }: Fields = {}): KubeObject {
  const slash = type.lastIndexOf("/");
  const metadata = { name, ...(namespace === "" ? {} : { namespace }), ...(labels === undefined ? {} : { labels }) };
  // Made of literals: a name, perhaps a namespace and labels.
  return { apiVersion: type.slice(0, slash), kind: type.slice(slash + 1), metadata, ...fields } as KubeObject;
}

/** `kind to` of all lines, targets as `group/kind/namespace/name`. */
function lines(rules: readonly CustomEdgeRule[], ...objects: KubeObject[]): string[] {
  return buildGraph(objects, [], rules)
    .edges()
    .map(({ kind, to }) => `${kind} ${to}`);
}

const FROM = { group: "x.io", kind: "Tool" };
const tool = (spec: unknown, more: Fields = {}): KubeObject => object("x.io/v1/Tool", "t", { spec, ...more });

describe("the kind stands in the reference", () => {
  const rule: NamingRule = {
    id: "ref",
    from: FROM,
    class: "target",
    path: "$.spec.refs[*]",
    to: { group: "x.io", kind: "Store", kindPath: "@.kind", groupPath: "@.apiVersion", clusterKinds: ["ClusterStore"] },
  };

  test.each([
    [{ name: "a" }, "x.io/Store/env/a"],
    [{ kind: "Secret", apiVersion: "v1", name: "a" }, "/Secret/env/a"],
    [{ kind: "Deployment", apiVersion: "apps/v1beta1", name: "a", namespace: "far" }, "apps/Deployment/far/a"],
    [{ kind: "Thing", apiVersion: "y.io", name: "a" }, "y.io/Thing/env/a"],
    [{ kind: "ClusterStore", name: "a", namespace: "far" }, "x.io/ClusterStore//a"],
    [{ kind: "StorageClass", apiVersion: "storage.k8s.io/v1", name: "a" }, "storage.k8s.io/StorageClass//a"],
  ])("%j leads to %s", (reference, target) => {
    expect(lines([rule], tool({ refs: [reference] }))).toEqual([`custom:ref ${target}`]);
  });

  test("what has no name, or a kind that is none, leads nowhere", () => {
    const refs = [{ kind: "Secret" }, { kind: "a/b", name: "a" }, { kind: 7, name: "*" }, null, ["a"], 7, { name: "x/y" }];
    expect(lines([rule], tool({ refs }))).toEqual([]);
    const nameless = { ...rule, to: { kindPath: "@.kind", group: "x.io" } };
    expect(lines([nameless], tool({ refs: [{ name: "a" }, { name: "b", kind: "Secret" }] }))).toEqual(["custom:ref x.io/Secret/env/b"]);
  });

  test("it may also stand elsewhere in the holder, as may the name and the namespace", () => {
    const spec = { type: "Secret", refs: [{ key: "a", in: "far" }] };
    const to = { group: "", kindPath: "$.spec.type", namespace: "@.in" };
    expect(lines([{ ...rule, name: "@.key", to }], tool(spec))).toEqual(["custom:ref /Secret/far/a"]);
  });
});

describe("a text names its target", () => {
  const rule: NamingRule = { id: "at", from: FROM, class: "route", path: "$.spec.at", to: { group: "", kind: "Service" } };

  test.each([
    ["host", "web", "/Service/env/web"],
    ["host", "web.far.svc", "/Service/far/web"],
    ["host", "web.far.svc.cluster.local", "/Service/far/web"],
    ["host", "web.far.svc.example.com.", "/Service/far/web"],
    ["host", "http://web.far.svc:8080/path?x=y", "/Service/far/web"],
    ["host", "web:8080", "/Service/env/web"],
    ["namespace/name", "far/web", "/Service/far/web"],
    ["namespace/name", "./web", "/Service/env/web"],
    ["namespace/name", "web", "/Service/env/web"],
    ["name", "web", "/Service/env/web"],
  ] as const)("as %s %s", (as, at, target) => {
    expect(lines([{ ...rule, as }], tool({ at }))).toEqual([`custom:at ${target}`]);
  });

  test.each([
    ["host", "example.com"],
    ["host", "web.far"],
    ["host", "*.far.svc"],
    ["host", "*"],
    ["host", "web..svc"],
    ["host", "Web"],
    ["host", "10.0.0.1"],
    ["host", "localhost"],
    ["host", "https://user@web.far.svc"],
    ["host", ""],
    ["host", "a".repeat(10_000)],
    ["namespace/name", "a/b/c"],
    ["namespace/name", "/web"],
    ["namespace/name", "far/"],
    ["namespace/name", "far/*"],
    ["name", "far/web"],
  ] as const)("as %s %s names nothing in the cluster", (as, at) => {
    expect(lines([{ ...rule, as }], tool({ at }))).toEqual([]);
  });

  test("with a port that the Service lacks, and a share of the traffic", () => {
    const routes = [{ to: { host: "web", port: 81 }, weight: 30 }];
    const [path, name] = ["$.spec.routes[*]", "@.to.host"];
    const service = object("v1/Service", "web", { spec: { ports: [{ port: 80 }] } });
    const rules = [{ ...rule, path, name, as: "host", port: "@.to.port", weight: "@.weight" } as const];
    expect(buildGraph([tool({ routes }), service], [], rules).edges()).toMatchObject([{ portMissing: true, weight: 30 }]);
  });
});

describe("a selector", () => {
  const rule: SelectingRule = { id: "by", from: FROM, class: "select", selector: "$.spec.selector", to: { group: "", kind: "Service" } };
  const service = (name: string, namespace = "env", labels: Fields = { app: name }): KubeObject =>
    object("v1/Service", name, { namespace, labels });
  const services = [service("a"), service("b"), service("a", "far"), service("c", "env", { app: "a", tier: "x" })];
  const found = (spec: Fields, change: Partial<SelectingRule> = {}): string[] =>
    lines([{ ...rule, ...change }], tool(spec), ...services).map((line) => line.replace("custom:by /Service/", ""));

  test("selects by labels in the namespace of its holder", () => {
    expect(found({ selector: { matchLabels: { app: "a" } } })).toEqual(["env/a", "env/c"]);
    expect(found({ selector: { app: "a", tier: "x" } })).toEqual(["env/c"]);
    const matchExpressions = [{ key: "tier", operator: "DoesNotExist" }];
    expect(found({ selector: { matchExpressions } })).toEqual(["env/a", "env/b"]);
  });

  test("that is empty selects nothing unless the rule says all; one that is absent or odd nothing", () => {
    expect(found({ selector: {} })).toEqual([]);
    expect(found({ selector: {} }, { emptySelector: "all" })).toEqual(["env/a", "env/b", "env/c"]);
    expect(found({ selector: { matchLabels: {} } }, { emptySelector: "all" })).toHaveLength(3);
    for (const selector of [undefined, null, "app=a", [{ app: "a" }], { app: 7 }])
      expect(found({ selector }, { emptySelector: "all" })).toEqual([]);
  });

  test("goes to the namespaces that it names", () => {
    const selector = { matchLabels: { app: "a" } };
    const change = { namespaceSelector: "$.spec.in" };
    const inside = (namespaces: unknown): string[] => found({ selector, in: namespaces }, change);
    expect(inside({ any: true })).toEqual(["env/a", "env/c", "far/a"]);
    expect(inside({ matchNames: ["far", "far"] })).toEqual(["far/a"]);
    expect(inside({ matchLabels: { "kubernetes.io/metadata.name": "far" } })).toEqual(["far/a"]);
    expect(inside({})).toEqual(["env/a", "env/c"]);
    expect(inside(undefined)).toEqual(["env/a", "env/c"]);
    // Labels of namespaces are not known.
    expect(inside({ matchLabels: { team: "far" } })).toEqual([]);
    expect(inside({ matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["env"] }] })).toEqual([]);
    expect(found({ selector }, { to: { group: "", kind: "Service", namespace: "all" } })).toEqual(["env/a", "env/c", "far/a"]);
  });

  test("follows labels as they change, and objects as they come and go", () => {
    const graph = new ResourceGraph({ customEdges: [rule] });
    const targets = (): string[] => graph.edges().map(({ to }) => to.replace("/Service/env/", ""));
    graph.upsert(tool({ selector: { app: "a" } }));
    graph.upsert(service("a"));
    graph.upsert(service("b"));
    expect(targets()).toEqual(["a"]);
    graph.upsert(service("b", "env", { app: "a" }));
    graph.upsert(service("a", "env", { app: "other" }));
    expect(targets()).toEqual(["b"]);
    graph.remove("/Service/env/b");
    expect(targets()).toEqual([]);
  });
});

describe("a pod template", () => {
  const rule: CustomEdgeRule = { id: "pods", from: FROM, podTemplate: "$.spec.template" };
  const spec = {
    imagePullSecrets: [{ name: "pull" }],
    serviceAccountName: "robot",
    containers: [{ name: "c", envFrom: [{ configMapRef: { name: "settings" } }, { secretRef: { name: "keys", optional: true } }] }],
    volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
  };
  const needed = ["v1/Secret pull", "v1/Secret keys", "v1/ConfigMap settings", "v1/PersistentVolumeClaim data", "v1/ServiceAccount robot"];
  const objects = needed.map((each) => object(each.split(" ")[0] ?? "", each.split(" ")[1] ?? ""));
  const service = object("v1/Service", "web", { spec: { selector: { app: "web" } } });
  const all = [
    "svc-workload x.io/Tool/env/t",
    "tmpl-mount /ConfigMap/env/settings",
    "tmpl-mount /PersistentVolumeClaim/env/data",
    "tmpl-mount /Secret/env/keys",
    "tmpl-mount /ServiceAccount/env/robot",
    "pod-pullsecret /Secret/env/pull",
  ].toSorted();

  test("of another kind leads to all that its pods will need, and Services lead to it", () => {
    const template = { metadata: { labels: { app: "web" } }, spec };
    expect(lines([rule], tool({ template }), service, ...objects).toSorted()).toEqual(all);
    expect(lines([], tool({ template }), service, ...objects)).toEqual([]);
  });

  test("may be a bare pod spec, and one of several", () => {
    const roles = [{ pod: spec }, { pod: { containers: [{ envFrom: [{ configMapRef: { name: "other" } }] }] } }];
    const found = lines([{ ...rule, podTemplate: "$.spec.roles[*].pod" }], tool({ roles }), ...objects);
    expect(found).toEqual(expect.arrayContaining(["tmpl-mount /ConfigMap/env/settings", "tmpl-mount /ConfigMap/env/other"]));
  });

  test("that is odd needs nothing", () => {
    for (const template of [undefined, null, 7, [], "x", { spec: 7 }, { spec: { containers: 7, volumes: { a: 1 } } }])
      expect(lines([rule], tool({ template }), service)).toEqual([]);
  });
});

describe("rules of the new forms are refused", () => {
  const good = { id: "a", from: FROM, class: "target", path: "$.spec.a", to: { group: "", kind: "Secret" } };
  const template = { id: "a", from: FROM, podTemplate: "$.spec.template" };
  const selecting = { id: "a", from: FROM, class: "select", selector: "$.spec.selector", to: { group: "", kind: "Pod" } };

  test.each([
    [{ ...good, as: "url" }, "as", "must be one of name, host, namespace/name"],
    [{ ...good, to: { kindPath: "kind", group: "" } }, "to.kindPath", 'must begin with "$"'],
    [{ ...good, to: { kindPath: "@.kind" } }, "to.group", "must be an API group"],
    [{ ...good, to: { groupPath: "@.group" } }, "to.kind", "must be a kind"],
    [{ ...good, to: { ...good.to, kindpath: "@.kind" } }, "to.kindpath", "is not known; known are group, kind, namespace, kindPath"],
    [{ ...good, to: { ...good.to, clusterKinds: "Secret" } }, "to.clusterKinds", "must be a list of kinds"],
    [{ ...good, name: "@..a..b" }, "name", 'has ".." more than once'],
    [{ ...good, selector: "$.spec.selector" }, "selector", "cannot stand beside path"],
    [{ ...template, class: "mount" }, "class", "is not known of a rule with podTemplate; known are id, from, podTemplate"],
    [{ ...template, podTemplate: 7 }, "podTemplate", "must be JSONPath as text"],
    [{ ...selecting, namespaceSelector: "spec" }, "namespaceSelector", 'must begin with "$"'],
    [{ ...selecting, emptySelector: "some" }, "emptySelector", 'must be "all" or "none"'],
    [{ ...selecting, to: { ...selecting.to, namespace: "far" } }, "to.namespace", 'must be "same" or "all"'],
    [{ ...selecting, optional: true }, "optional", "is not known of a rule with selector"],
    [{ ...good, pack: "istio" }, "pack", "is not known"],
  ])("%j", (rule, field, message) => {
    expect(parseCustomEdges([rule])).toMatchObject({
      rules: [],
      problems: [{ rule: "a", field, message: expect.stringContaining(message) }],
    });
  });

  test("and those that are right are taken as they are", () => {
    const to = { group: "x.io", kindPath: "@.kind", groupPath: "$.spec.group", namespace: "@.in", clusterKinds: ["A"], kind: "B" };
    const rules = [{ ...good, as: "host", name: "@.name", port: "@.port", weight: "$.spec.weight", to }, template, selecting];
    const named = rules.map((rule, index) => ({ ...rule, id: `r${index}` }));
    expect(parseCustomEdges(named)).toEqual({ rules: named, problems: [] });
  });
});
