import { expect, test } from "vitest";
import { linesOfEdge, nameOfEdge, notesOfEdge, refusalOf } from "@binnacle/presentation/graph/edge-words";
import { madeEdge, madeNode } from "../live/made-view.ts";

const TO = madeNode({ id: "api", ref: { kind: "Service", namespace: "backend", name: "api" } });

test("a refused reference says which namespace would have to allow it", () => {
  const edge = madeEdge({ id: "e", kind: "route-svc", edgeClass: "route", refused: true, fieldPaths: ["spec.rules[0].backendRefs[0]"] });
  expect(refusalOf(edge, TO)).toBe("refused: no ReferenceGrant in namespace backend allows it");
  expect(refusalOf(edge, undefined)).toBe("refused: no ReferenceGrant in the other namespace allows it");
  expect(linesOfEdge(edge, TO)).toEqual([refusalOf(edge, TO), "spec.rules[0].backendRefs[0]"]);
});

test("an edge of a rule of the user's is called by the rule's id, any other by its class", () => {
  const custom = madeEdge({ id: "e", kind: "custom:widget-database", edgeClass: "mount", fieldPaths: ["spec.database"] });
  expect(nameOfEdge(custom)).toBe("widget-database");
  expect(linesOfEdge(custom, TO)).toEqual(["widget-database", "spec.database"]);
  const plain = madeEdge({ id: "e", kind: "pod-cm", edgeClass: "mount" });
  expect([nameOfEdge(plain), linesOfEdge(plain, TO), refusalOf(plain, TO)]).toEqual(["mount", [], ""]);
});

test("W20: a port that is not there, an endpoint that is not ready and a share of the traffic are shown; a pack's edge has its name", () => {
  const edge = madeEdge({ id: "e", kind: "istio:destination", edgeClass: "route", portMissing: true, ready: false, weight: 30 });
  expect(linesOfEdge(edge, TO)).toEqual(["the Service has no such port", "not ready: takes no traffic", "weight 30", "istio destination"]);
});

const notes = (fields: object): string[] =>
  notesOfEdge(madeEdge({ id: "e", kind: "route-svc", edgeClass: "route", ...fields }), TO).map(({ text, tone }) => `${tone}: ${text}`);

test("W20: ports that are not there are named, a refusal is graver", () => {
  expect(notes({ portMissing: true, missingPorts: ["8080"] })).toEqual(["fault: port 8080 is not a port of the Service"]);
  expect(notes({ portMissing: true, missingPorts: ["8080", "web"], refused: true })).toEqual([
    "fault: refused: no ReferenceGrant in namespace backend allows it",
    "fault: ports 8080, web are not ports of the Service",
  ]);
});

test("W20: an endpoint is ready or not; a weight is a share of its rule, and one that has all of it says nothing", () => {
  expect(notes({ ready: true })).toEqual(["plain: ready"]);
  expect(notes({ ready: false })).toEqual(["idle: not ready: takes no traffic"]);
  expect(notes({ weight: 9, share: 0.9 })).toEqual(["plain: weight 90 %"]);
  expect(notes({ weight: 1, share: 0.001 })).toEqual(["plain: weight < 1 %"]);
  expect(notes({ weight: 999, share: 0.999 })).toEqual(["plain: weight > 99 %"]);
  expect(notes({ weight: 1, share: 1 })).toEqual([]);
  expect(notes({ weight: 0, share: 0 })).toEqual(["idle: weight 0: takes no traffic"]);
});
