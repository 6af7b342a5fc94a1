import { create } from "@bufbuild/protobuf";
import { EdgeSchema, NodeSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { linesOfEdge, nameOfEdge, refusalOf } from "./edge-words.ts";

const TO = create(NodeSchema, { ref: { kind: "Service", namespace: "backend", name: "api" } });

test("a refused reference says which namespace would have to allow it", () => {
  const edge = create(EdgeSchema, { kind: "route-svc", edgeClass: "route", refused: true, fieldPaths: ["spec.rules[0].backendRefs[0]"] });
  expect(refusalOf(edge, TO)).toBe("refused: no ReferenceGrant in namespace backend allows it");
  expect(refusalOf(edge, undefined)).toBe("refused: no ReferenceGrant in the other namespace allows it");
  expect(linesOfEdge(edge, TO)).toEqual([refusalOf(edge, TO), "spec.rules[0].backendRefs[0]"]);
});

test("an edge of a rule of the user's is called by the rule's id, any other by its class", () => {
  const custom = create(EdgeSchema, { kind: "custom:widget-database", edgeClass: "mount", fieldPaths: ["spec.database"] });
  expect(nameOfEdge(custom)).toBe("widget-database");
  expect(linesOfEdge(custom, TO)).toEqual(["widget-database", "spec.database"]);
  const plain = create(EdgeSchema, { kind: "pod-cm", edgeClass: "mount" });
  expect([nameOfEdge(plain), linesOfEdge(plain, TO), refusalOf(plain, TO)]).toEqual(["mount", [], ""]);
});
