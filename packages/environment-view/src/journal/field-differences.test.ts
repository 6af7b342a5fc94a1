import { projectObject, type KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { digestOf } from "../objects/field-digests.ts";
import { fieldDifferences, type FieldDifferences, type ObjectVersion } from "./field-differences.ts";

const UNSHARED = { share: (text: string): string => text };
const CANARY = "canary-4c1e";

/** As views keep it. */
function kept(object: KubeObject): ObjectVersion {
  return { object: projectObject(object), digest: digestOf(object, UNSHARED) };
}

function differences(before: KubeObject, after: KubeObject): FieldDifferences {
  return fieldDifferences(kept(before), kept(after));
}

/** "path before>after", or "path hidden". */
function lines(before: KubeObject, after: KubeObject): string[] {
  const { fields } = differences(before, after);
  return fields.map(({ path, before: was, after: is, hidden }) => (hidden ? `${path} hidden` : `${path} ${was ?? "-"}>${is ?? "-"}`));
}

function widget(spec: unknown, rest: object = {}): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "app" }, spec, ...rest };
}

function workload(container: object, spec: object = {}): KubeObject {
  const template = {
    spec: {
      containers: [
        { name: "sidecar", image: "s:1" },
        { name: "web", image: "app:1", ...container },
      ],
    },
  };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "app" }, spec: { template, ...spec } };
}

function configMap(data: object): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "app" }, data };
}

describe("reported values", () => {
  test("a field of a container, by the name of the container, wherever it stands", () => {
    const before = workload({});
    const after = structuredClone(workload({ image: "app:2" }));
    expect(lines(before, after)).toEqual(["spec.template.spec.containers[web].image app:1>app:2"]);
    const turned = {
      ...before,
      spec: {
        template: {
          spec: {
            containers: [
              { name: "web", image: "app:1" },
              { name: "sidecar", image: "s:1" },
            ],
          },
        },
      },
    };
    expect(lines(before, turned)).toEqual([]);
  });

  test("what came and what went, by each of its fields", () => {
    expect(lines(widget({ a: 1 }), widget({ b: { c: true, d: null } }))).toEqual(["spec.a 1>-", "spec.b.c ->true", "spec.b.d ->null"]);
  });

  test("a list of values as one value", () => {
    expect(lines(widget({ hosts: ["a"] }), widget({ hosts: ["a", "b"] }))).toEqual(['spec.hosts ["a"]>["a","b"]']);
  });

  test("of a status conditions, counts and the state of containers, without times and messages", () => {
    const pod = (state: object, [restartCount, ready]: readonly [number, string], time: string): KubeObject => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "app" },
      status: {
        phase: "Running",
        podIP: time,
        conditions: [{ type: "Ready", status: ready, lastTransitionTime: time, message: time }],
        containerStatuses: [{ name: "web", restartCount, state, lastState: { terminated: { finishedAt: time } }, containerID: time }],
      },
    });
    const before = pod({ running: { startedAt: "t" } }, [1, "True"], "a");
    const after = pod({ waiting: { reason: "CrashLoopBackOff", message: "back-off" } }, [2, "False"], "b");
    expect(lines(before, after)).toEqual([
      "status.conditions[Ready].status True>False",
      "status.containerStatuses[web].restartCount 1>2",
      "status.containerStatuses[web].state running>waiting: CrashLoopBackOff",
    ]);
    expect(lines(before, pod({ running: { startedAt: "u" } }, [1, "True"], "c"))).toEqual([]);
  });

  test.each(["resourceVersion", "generation", "managedFields", "selfLink"])("not %s", (name) => {
    const before = widget({});
    expect(lines(before, { ...before, metadata: { ...before.metadata, [name]: "other" } })).toEqual([]);
  });

  test("twenty fields at most, and how many more there are", () => {
    const spec = (value: number): object => Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, value]));
    const { fields, more } = differences(widget(spec(1)), widget(spec(2)));
    expect([fields.length, more]).toEqual([20, 30]);
  });
});

describe("hidden fields: only the fact of a change is reported", () => {
  const hidden: readonly (readonly [string, KubeObject, KubeObject, string])[] = [
    ["an argument", workload({ args: ["a"] }), workload({ args: [CANARY] }), "spec.template.spec.containers[web].args"],
    ["a command", workload({ command: ["a"] }), workload({ command: [CANARY] }), "spec.template.spec.containers[web].command"],
    [
      "a variable",
      workload({ env: [{ name: "A", value: "x" }] }),
      workload({ env: [{ name: "A", value: CANARY }] }),
      "spec.template.spec.containers[web].env[A].value",
    ],
    ["a key of a ConfigMap", configMap({ k: "x" }), configMap({ k: CANARY }), "data.k"],
    [
      "a variable of a custom resource",
      widget({ env: [{ name: "A", value: "x" }] }),
      widget({ env: [{ name: "A", value: CANARY }] }),
      "spec.env[A].value",
    ],
    ["a map of variables", widget({ env: { name: "x" } }), widget({ env: { name: CANARY } }), "spec.env"],
    ["variables as texts", widget({ env: ["A=x"] }), widget({ env: [`A=${CANARY}`] }), "spec.env"],
    ["values of a chart", widget({ values: { a: "x" } }), widget({ values: { a: CANARY } }), "spec.values"],
    [
      "a parameter",
      widget({ params: [{ name: "p", value: "x" }] }),
      widget({ params: [{ name: "p", value: CANARY }] }),
      "spec.params[p].value",
    ],
    ["what is called a password", widget({ dbPassword: "x" }), widget({ dbPassword: CANARY }), "spec.dbPassword"],
    [
      "what lies in credentials",
      widget({ credentials: { user: "x" } }),
      widget({ credentials: { user: CANARY } }),
      "spec.credentials.user",
    ],
    ["a long text", widget({ text: "x" }), widget({ text: CANARY.repeat(100) }), "spec.text"],
    ["a text of several lines", widget({ text: "x" }), widget({ text: `a\n${CANARY}` }), "spec.text"],
  ];

  test.each(hidden)("%s", (_, ...[before, after, path]) => {
    expect(lines(before, after)).toEqual([`${path} hidden`]);
    expect(JSON.stringify(differences(before, after))).not.toContain(CANARY);
    expect(JSON.stringify(differences(after, before))).not.toContain(CANARY);
  });

  test("a text that differs only in what is masked", () => {
    const url = (password: string): KubeObject => widget({ address: `postgres://app:${password}@db/app` });
    expect(lines(url("one"), url(CANARY))).toEqual(["spec.address hidden"]);
  });

  test("an annotation that looks like a copy of the object", () => {
    const copy = (value: string): KubeObject => {
      const annotations = { "kapp.k14s.io/original": `{"env":"${value}"}`, note: value === "x" ? "old" : "new" };
      return { ...widget({}), metadata: { name: "w", namespace: "app", annotations } };
    };
    expect(lines(copy("x"), copy(CANARY))).toEqual([
      "metadata.annotations[kapp.k14s.io/original] hidden",
      "metadata.annotations.note old>new",
    ]);
  });

  test("a reference to a Secret is no secret", () => {
    expect(lines(widget({ secretName: "a" }), widget({ secretName: "b" }))).toEqual(["spec.secretName a>b"]);
    const from = (name: string): KubeObject => workload({ env: [{ name: "A", valueFrom: { secretKeyRef: { name, key: "k" } } }] });
    expect(lines(from("a"), from("b"))).toEqual(["spec.template.spec.containers[web].env[A].valueFrom.secretKeyRef.name a>b"]);
  });
});

describe("properties", () => {
  const name = fc.constantFrom("a", "b", "c", "paused", "size");
  const scalar = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.boolean(), fc.constantFrom("x", "y", "z"));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.dictionary(name, fc.oneof({ depthSize: "small" }, scalar, fc.array(scalar, { maxLength: 3 }), tie("items"), tie("tree")), {
      maxKeys: 4,
    }),
    items: fc
      .uniqueArray(fc.tuple(fc.constantFrom("one", "two", "three"), tie("tree")), { selector: ([id]) => id, maxLength: 3 })
      .map((items) => items.map(([id, rest]) => ({ ...Object(rest), name: id }))),
  }));

  /** Every value by its path, found in another way. */
  function flat(value: unknown, path: string, found = new Map<string, string>()): Map<string, string> {
    const isItems = Array.isArray(value) && value.some((item) => typeof item === "object");
    if (Array.isArray(value) && isItems) for (const item of value) flat(item, `${path}[${item.name}]`, found);
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [key, field] of Object.entries(value)) flat(field, `${path}.${key}`, found);
    } else if (!Array.isArray(value) || value.length > 0) found.set(path, typeof value === "string" ? value : JSON.stringify(value));
    return found;
  }

  test("applied to what was before, the reported values give the current object", () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const result = differences(widget(before), widget(after));
        fc.pre(result.more === 0);
        const applied = flat(before, "spec");
        for (const { path, after: is, before: was, hidden } of result.fields) {
          expect(hidden).toBe(false);
          const isEmpty = was === undefined || was === "[]" || was === "{}";
          expect(applied.get(path)).toBe(isEmpty ? undefined : was);
          if (is === undefined || is === "[]" || is === "{}") applied.delete(path);
          else applied.set(path, is);
        }
        expect(Object.fromEntries(applied)).toEqual(Object.fromEntries(flat(after, "spec")));
      }),
    );
  });

  test("T7: no canary in a place where values stand is ever reported, whatever else changes", () => {
    const secretPlaces = fc.constantFrom<(text: string) => KubeObject>(
      (text) => workload({ args: [text], env: [{ name: "A", value: text }] }),
      (text) => workload({ command: ["sh", "-c", text], readinessProbe: { exec: { command: [text] } } }),
      (text) => workload({ lifecycle: { preStop: { exec: { command: [text] } } } }),
      (text) => configMap({ [`key-${text.length}`]: text }),
      (text) => ({
        ...configMap({}),
        kind: "Secret",
        data: { k: text },
        stringData: { k: text },
        metadata: { name: "s", annotations: { a: text } },
      }),
      (text) =>
        widget({ env: [{ name: "A", value: text }], values: { deep: { er: text } }, password: text, token: [text], auth: { a: text } }),
      (text) => ({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p", namespace: "app" },
        spec: { containers: [{ name: "c", args: [text] }] },
      }),
    );
    fc.assert(
      fc.property(secretPlaces, fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 }), (place, left, right) => {
        const [before, after] = [place(`${left}${CANARY}`), place(`${CANARY}${right}${right}`)];
        expect(JSON.stringify(differences(before, after))).not.toContain(CANARY);
        expect(JSON.stringify(fieldDifferences({ object: before, digest: new Map() }, { object: after, digest: new Map() }))).not.toContain(
          CANARY,
        );
      }),
    );
  });

  test("an object is never different from itself, and odd shapes never throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const odd = (value: unknown): KubeObject => ({ ...workload({ env: value, ports: value }), status: value });
        expect(lines(odd(before), odd(structuredClone(before)))).toEqual([]);
        differences(odd(before), odd(after));
        differences(widget(before), widget(after));
      }),
    );
  });
});

test("what is too deep is compared as a whole", () => {
  const deep = (leaf: string): unknown => Array.from({ length: 200 }).reduce<unknown>((inner) => ({ a: inner }), { a: leaf });
  const { fields } = differences(widget(deep("one")), widget(deep("two")));
  expect(fields).toMatchObject([{ hidden: true }]);
});
