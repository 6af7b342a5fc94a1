import { expect, test } from "vitest";

import { itemText, objectText } from "./representation.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const EVENTS: ResourceDefinition = {
  group: "",
  version: "v1",
  plural: "events",
  singular: "event",
  kind: "Event",
  listKind: "EventList",
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: [],
  storage: "/events",
  storageVersion: "v1",
  custom: false,
};

test("an item of a list has all fields of its object, also those that kubectl sorts before its metadata", () => {
  const metadata = { name: "e", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  const rest = { involvedObject: { name: "p" }, message: 'it says "metadata"', metadata, reason: "Slow" };
  const event = { apiVersion: "v1", kind: "Event", ...rest };
  expect(JSON.parse(itemText(event, EVENTS))).toEqual(rest);
  expect(JSON.parse(objectText(event, EVENTS))).toEqual(event);
});
