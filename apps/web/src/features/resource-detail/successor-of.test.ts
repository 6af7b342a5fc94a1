import { Presence } from "@binnacle/proto/dashboard";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import type { LiveNode } from "../live/live-node.ts";
import { madeNode } from "../live/made-view.ts";
import { successorOf } from "./departed-line.tsx";

interface More {
  readonly owner?: string;
  readonly at?: number;
  readonly presence?: Presence;
}

function made(kind: string, name: string, more: More = {}): LiveNode {
  const { owner: ownerId = "", at = 0, presence = Presence.PRESENT } = more;
  return madeNode({
    id: `${kind}/${name}`,
    ownerId,
    presence,
    ref: { kind, name, namespace: "shop" },
    createdAt: timestampFromMs(at * 1_000),
  });
}

const view = (...nodes: readonly LiveNode[]) => ({ nodes: new Map(nodes.map((node) => [node.id, node])) });
const left = made("Pod", "web-1", { owner: "ReplicaSet/old" });
const DEPLOYMENT = made("Deployment", "web");
const OLD = made("ReplicaSet", "old", { owner: DEPLOYMENT.id });
const NEW = made("ReplicaSet", "new", { owner: DEPLOYMENT.id });

test("the successor is the newest of the same owner", () => {
  const pods = [
    made("Pod", "web-2", { owner: OLD.id, at: 2 }),
    made("Pod", "web-3", { owner: OLD.id, at: 3 }),
    made("Pod", "web-4", { owner: NEW.id, at: 9 }),
  ];
  expect(successorOf(left, view(DEPLOYMENT, OLD, NEW, ...pods))?.id).toBe("Pod/web-3");
});

test("after a rollout it is the newest of the owner's owner", () => {
  const pods = [made("Pod", "web-4", { owner: NEW.id, at: 4 }), made("Pod", "foreign", { owner: "ReplicaSet/other", at: 9 })];
  expect(successorOf(left, view(DEPLOYMENT, OLD, NEW, ...pods))?.id).toBe("Pod/web-4");
});

test("a resource without an owner has no successor, and a ghost, another kind or the resource itself is none", () => {
  const others = [made("Pod", "ghost", { owner: OLD.id, presence: Presence.MISSING }), made("Job", "job", { owner: OLD.id }), left];
  expect(successorOf(left, view(DEPLOYMENT, OLD, ...others))).toBeUndefined();
  expect(successorOf(made("Pod", "alone"), view(made("Pod", "also-alone")))).toBeUndefined();
});
