import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { appliedFieldsOf, fromDigest, toDigest } from "./applied-fields.ts";
import { driftOf } from "./field-drift.ts";
import { ownershipOf, partsOfPath, shownPath } from "./field-ownership.ts";
import type { KubeObject } from "./kube-object.ts";

const APPLIED_AT = "2026-11-26T10:00:00Z";
const LATER = "2026-11-26T10:05:00Z";
const TEXTS = { share: (text: string) => text };

/** A path as `fieldsV1` names it: two fields, an item of a list, one of its fields. */
const path = fc
  .tuple(
    fc.constantFrom("f:spec", "f:metadata", "f:data"),
    fc.constantFrom("f:template", "f:labels", "f:rules"),
    fc.constantFrom('k:{"name":"web"}', 'k:{"port":53,"protocol":"UDP"}', 'v:"read"', "f:extra"),
    fc.stringMatching(/^f:[a-z/.-]{1,12}$/),
  )
  .map((parts) => parts.join("\n"));

/** `fieldsV1` of a set of fields. */
function setOf(paths: Iterable<string>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const each of paths) {
    let at = root;
    for (const part of partsOfPath(each)) at = (at[part] ??= {}) as Record<string, unknown>;
  }
  return root;
}

interface Theft {
  readonly manager: string;
  readonly paths: readonly string[];
  readonly subresource?: string;
}

/** What a cluster has after agentk has applied `applied` and others have taken some of it, and something else. */
function objectWith(applied: readonly string[], thefts: readonly Theft[], removed: readonly string[] = []): KubeObject {
  const gone = new Set([...thefts.flatMap(({ paths }) => paths), ...removed]);
  const left = applied.filter((each) => !gone.has(each));
  const own = { manager: "agentk", operation: "Apply", time: APPLIED_AT, fieldsV1: setOf(left) };
  const managedFields = [
    ...(left.length === 0 ? [] : [own]),
    { manager: "kube-controller-manager", operation: "Update", subresource: "status", time: LATER, fieldsV1: setOf(applied) },
    ...thefts.map(({ manager, paths, subresource }) => ({
      manager,
      operation: "Update",
      time: LATER,
      ...(subresource !== undefined && { subresource }),
      fieldsV1: setOf([...paths, "f:metadata\nf:annotations\nf:another"]),
    })),
  ];
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", managedFields } as KubeObject["metadata"] };
}

function compare(applied: readonly string[], after: KubeObject, isAutoscaled = false): ReturnType<typeof driftOf> {
  const before = appliedFieldsOf(objectWith(applied, []));
  if (before === undefined) throw new Error("nothing was applied");
  const reported = fromDigest(toDigest(before));
  expect(reported).toEqual(before);
  return driftOf(before, ownershipOf(Reflect.get(after.metadata, "managedFields"), TEXTS), isAutoscaled);
}

const sets = fc.uniqueArray(path, { minLength: 1, maxLength: 40 });

describe("driftOf", () => {
  test("nothing has drifted while agentk owns what it applied, whatever others own beside it", () => {
    fc.assert(
      fc.property(sets, sets, (applied, more) => {
        const mine = new Set(applied);
        const others = [{ manager: "kubectl", paths: more.filter((each) => !mine.has(each)) }];
        expect(compare(applied, objectWith(applied, others))).toEqual({ kind: "none" });
      }),
    );
  });

  test("names each field that was taken, who took it and when", () => {
    fc.assert(
      fc.property(sets, fc.infiniteStream(fc.integer({ min: 0, max: 4 })), (applied, choice) => {
        const picks = applied.map((each) => ({ each, by: choice.next().value as number }));
        const taken = (by: number): string[] =>
          picks
            .filter((pick) => pick.by === by)
            .map(({ each }) => each)
            .slice(0, 3);
        const thefts = [
          { manager: "kubectl-set", paths: taken(0) },
          { manager: "helm", paths: taken(1) },
        ];
        const expected = thefts.flatMap(({ manager, paths }) => paths.map((each) => `${manager} ${each}`)).toSorted();
        const drift = compare(applied, objectWith(applied, thefts));
        expect(drift).toMatchObject(expected.length === 0 ? { kind: "none" } : { kind: "changed", unnamed: 0 });
        const found = drift.kind === "changed" ? drift.taken : [];
        expect(found.map((each) => `${each.manager} ${each.path}`).toSorted()).toEqual(expected);
        for (const { atMs } of found) expect(atMs).toBe(Date.parse(LATER));
      }),
    );
  });

  test("counts fields without an owner, and names no new owner for them", () => {
    fc.assert(
      fc.property(sets, (applied) => {
        const [first, ...rest] = applied as [string, ...string[]];
        expect(compare(applied, objectWith(applied, [], [first]))).toEqual({ kind: "changed", taken: [], unnamed: 1 });
        if (rest.length === 0) return;
        const after = objectWith(applied, [{ manager: "kubectl", paths: rest.slice(0, 1) }], [first]);
        expect(compare(applied, after)).toEqual({ kind: "changed", taken: [], unnamed: 2 });
      }),
    );
  });

  test("replicas under an autoscaler are no drift, neither by its manager nor while something scales the object", () => {
    const applied = ["f:spec\nf:replicas", "f:spec\nf:paused"];
    const byScale = objectWith(applied, [{ manager: "kubectl", paths: ["f:spec\nf:replicas"], subresource: "scale" }]);
    const byAutoscaler = objectWith(applied, [{ manager: "kube-controller-manager", paths: ["f:spec\nf:replicas"], subresource: "scale" }]);
    expect(compare(applied, byAutoscaler)).toEqual({ kind: "none" });
    expect(compare(applied, byScale, true)).toEqual({ kind: "none" });
    expect(compare(applied, byScale)).toMatchObject({ kind: "changed", taken: [{ manager: "kubectl" }] });
    const paused = objectWith(applied, [{ manager: "kubectl", paths: applied }]);
    expect(compare(applied, paused, true)).toMatchObject({ kind: "changed", taken: [{ path: "f:spec\nf:paused" }] });
  });

  test("another apply of agentk that was not reported yet is neither drift nor none", () => {
    const applied = appliedFieldsOf(objectWith(["f:spec\nf:a", "f:spec\nf:b"], []));
    const again = { ...applied, atSeconds: (applied?.atSeconds ?? 0) + 60 } as NonNullable<typeof applied>;
    const more = appliedFieldsOf(objectWith(["f:spec\nf:a", "f:spec\nf:b", "f:spec\nf:c"], []));
    for (const now of [again, more]) {
      expect(driftOf(applied as NonNullable<typeof applied>, { applied: now as NonNullable<typeof now>, others: [] }, false)).toEqual({
        kind: "pending",
      });
    }
  });

  test("an object that does not bear the mark any more has lost everything", () => {
    const applied = appliedFieldsOf(objectWith(["f:spec\nf:a", "f:spec\nf:b"], [])) as NonNullable<ReturnType<typeof appliedFieldsOf>>;
    expect(driftOf(applied, undefined, false)).toEqual({ kind: "changed", taken: [], unnamed: 2 });
  });

  test("gives up within bounds where many sets would have to be tried", () => {
    const applied = Array.from({ length: 60 }, (_, index) => `f:spec\nf:a${index}`);
    const others = [{ manager: "kubectl", paths: Array.from({ length: 40 }, (_, index) => `f:data\nf:b${index}`) }];
    const startedAt = performance.now();
    expect(compare(applied, objectWith(applied, others, applied.slice(0, 12)))).toEqual({ kind: "changed", taken: [], unnamed: 12 });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe("ownershipOf", () => {
  test.each([
    ['f:spec\nf:template\nf:spec\nf:containers\nk:{"name":"web"}\nf:image', "spec.template.spec.containers[web].image"],
    ["f:metadata\nf:labels\nf:app.kubernetes.io/name", "metadata.labels[app.kubernetes.io/name]"],
    ['f:spec\nf:ports\nk:{"port":53,"protocol":"UDP"}\nf:nodePort', "spec.ports[53/UDP].nodePort"],
    ['f:metadata\nf:finalizers\nv:"a/b"', "metadata.finalizers[a/b]"],
    ["k:not json", '["not json"]'],
  ])("shows %j as %s", (raw, shown) => {
    expect(shownPath(raw)).toBe(shown);
  });

  test("retains a bounded part of what others own", () => {
    const paths = Array.from({ length: 500 }, (_, index) => `f:spec\nf:${"x".repeat(index)}${index}`);
    const after = objectWith(["f:spec\nf:a"], [{ manager: "m".repeat(1_000), paths }]);
    const { others } = ownershipOf(Reflect.get(after.metadata, "managedFields"), TEXTS);
    expect(others.length).toBeLessThanOrEqual(24);
    expect(JSON.stringify(others).length).toBeLessThan(20_000);
  });

  test("reads odd shapes without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const entry = { manager: "agentk", operation: "Apply", time: APPLIED_AT, fieldsV1: value };
        expect(ownershipOf([entry, value], TEXTS).others.length).toBeLessThanOrEqual(24);
      }),
    );
  });
});
