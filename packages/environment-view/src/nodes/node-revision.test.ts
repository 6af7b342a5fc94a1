import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { revisionOf } from "./node-revision.ts";

function versioned(name: string, resourceVersion: string): KubeObject {
  return { apiVersion: "v1", kind: "Any", metadata: { name, resourceVersion } };
}

test("another version of the object, an event more, another version of it and one less are each another revision", () => {
  const [pod, event] = [versioned("p", "1"), versioned("e", "2")];
  const revisions = [
    revisionOf(pod, []),
    revisionOf(versioned("p", "3"), []),
    revisionOf(pod, [event]),
    revisionOf(pod, [versioned("e", "4")]),
    revisionOf(pod, [event, versioned("f", "5")]),
  ];
  expect(new Set(revisions).size).toBe(revisions.length);
  expect(revisionOf(pod, [])).toBe(revisions[0]);
});

test("the order of events changes nothing, and it is an unsigned number of 32 bits", () => {
  const events = fc.array(fc.record({ name: fc.string(), version: fc.string() }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.string(), events, (version, made) => {
      const [pod, reports] = [versioned("p", version), made.map((each) => versioned(each.name, each.version))];
      const revision = revisionOf(pod, reports);
      expect(revisionOf(pod, reports.toReversed())).toBe(revision);
      expect(revision).toBe(new Uint32Array([revision])[0]);
    }),
  );
});

test("two hundred versions in a row are as many revisions", () => {
  const revisions = Array.from({ length: 200 }, (_, index) => revisionOf(versioned("p", String(7_000_000 + index)), []));
  expect(new Set(revisions).size).toBe(200);
});
