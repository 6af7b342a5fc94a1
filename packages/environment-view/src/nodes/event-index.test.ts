import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { EventIndex } from "./event-index.ts";

function event(name: string, about: Record<string, string>): KubeObject {
  const involvedObject = { apiVersion: "v1", kind: "Pod", namespace: "app", name: "p", ...about };
  return { apiVersion: "v1", kind: "Event", metadata: { name, namespace: "app" }, involvedObject };
}

const POD: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "app", uid: "u" } };

function namesOf(events: readonly KubeObject[]): string[] {
  return events.map(({ metadata }) => metadata.name).toSorted();
}

test("events are found by the uid of what they are about, and by its name where they give none", () => {
  const index = new EventIndex();
  for (const each of [event("by-uid", { uid: "u" }), event("by-name", {}), event("other", { uid: "x" }), event("far", { name: "q" })])
    index.upsert(each);
  expect(namesOf(index.about(POD))).toEqual(["by-name", "by-uid"]);
  expect(namesOf(index.of("u"))).toEqual(["by-uid"]);
  const { uid: _uid, ...nameless } = POD.metadata;
  expect(namesOf(index.about({ ...POD, metadata: nameless }))).toEqual(["by-name"]);
});

test("an event that is reported again replaces itself, and one that is gone is not found", () => {
  const index = new EventIndex();
  index.upsert(event("e", { uid: "u" }));
  index.upsert({ ...event("e", { uid: "u" }), message: "again" });
  index.upsert(event("f", { uid: "u" }));
  index.remove(event("never", { uid: "unknown" }));
  index.remove(event("e", { uid: "u" }));
  expect(namesOf(index.of("u"))).toEqual(["f"]);
  index.remove(event("f", { uid: "u" }));
  expect(index.of("u")).toEqual([]);
});

test("an event without an object belongs to no object", () => {
  const index = new EventIndex();
  const { involvedObject: _none, ...empty } = event("e", {});
  index.upsert(empty);
  expect(index.about(POD)).toEqual([]);
  index.remove(empty);
});
