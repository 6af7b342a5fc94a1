import { create } from "@bufbuild/protobuf";
import { NodeSchema, Presence } from "@binnacle/proto/dashboard";
import { beforeEach, expect, test } from "vitest";

import { DepartedNodes } from "./departed-nodes.ts";

const ref = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: "ns", name: "web" };
const nodeThatIs = (presence: Presence) => ({ ...create(NodeSchema, { ref, presence }), id: `web ${presence}`, ownerId: "", life: 1 });
const SELECTION = "apps/deployments/ns/web";

let departed: DepartedNodes;
beforeEach(() => {
  departed = new DepartedNodes();
});

test("W11: what was deleted stays known while others still refer to it, and when they stop", () => {
  const [seen, missing] = [nodeThatIs(Presence.PRESENT), nodeThatIs(Presence.MISSING)];
  departed.left(seen, 7);
  departed.came(missing);
  expect(departed.of(SELECTION)).toEqual({ node: seen, atMs: 7 });
  departed.left(missing, 9);
  expect(departed.of(SELECTION)).toEqual({ node: seen, atMs: 7 });
});

test.each([Presence.MISSING, Presence.NOT_VISIBLE])(
  "W11: what others only referred to is never called deleted (presence %i)",
  (presence) => {
    departed.left(nodeThatIs(presence), 7);
    expect(departed.of(SELECTION)).toBeUndefined();
  },
);

test("W11: what is there again has not left", () => {
  departed.left(nodeThatIs(Presence.PRESENT), 7);
  departed.came(nodeThatIs(Presence.PRESENT));
  expect(departed.of(SELECTION)).toBeUndefined();
});
