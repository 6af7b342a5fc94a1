import { ActionKind, HealthStatus, NodeSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";

import type { LiveNode } from "../live/live-node.ts";
import { FOLLOW_BEGINS, followStep, markOf, SLOW_MS, type Follow, type Followed } from "./follow-action.ts";

const WRITTEN_MS = 1_000_000;
const CREATED = timestampFromMs(1_000);
const CHANGED = timestampFromMs(2_000);

type NodeInit = Omit<MessageInitShape<typeof NodeSchema>, "id" | "ownerId" | "$typeName">;

function node(init: NodeInit = {}): LiveNode {
  const base = { revision: 1, createdAt: CREATED, changedAt: CHANGED, images: ["app:1"], ready: 1, wanted: 1 };
  return { ...create(NodeSchema, { ...base, ...init }), id: "apps/Deployment/shop/web", ownerId: "", life: 1 };
}

const healthy = { health: { status: HealthStatus.HEALTHY } };
const progressing = { health: { status: HealthStatus.PROGRESSING } };
const degraded = { health: { status: HealthStatus.DEGRADED } };
/** The specification was written anew. */
const changed = { revision: 2, changedAt: timestampFromMs(1_000_000) };

const RESTART = { kind: ActionKind.RESTART };

/** Steps through states of a node, each some time after the action was written. */
function follow(
  intent: Followed["intent"],
  steps: readonly (readonly [afterMs: number, node: LiveNode | undefined])[],
): readonly Follow["kind"][] {
  const mark = markOf(node());
  let state = FOLLOW_BEGINS;
  return steps.map(([afterMs, now]) => {
    state = followStep(state, { intent, mark, writtenMs: WRITTEN_MS, node: now, nowMs: WRITTEN_MS + afterMs });
    return state.kind;
  });
}

describe("following an action", () => {
  test("a healthy node is not taken for the result before the view shows the change", () => {
    expect(
      follow(RESTART, [
        [0, node(healthy)],
        [1_000, node({ ...healthy, revision: 9 })],
        [2_000, node({ ...progressing, ...changed })],
        [8_000, node({ ...healthy, ...changed, revision: 5 })],
      ]),
    ).toEqual(["waiting", "waiting", "progressing", "settled"]);
  });

  test("any change counts after five seconds, and none is waited for after thirty", () => {
    expect(follow(RESTART, [[5_000, node({ ...healthy, revision: 9 })]])).toEqual(["settled"]);
    expect(follow(RESTART, [[29_999, node(healthy)]])).toEqual(["waiting"]);
    expect(follow(RESTART, [[30_000, node(healthy)]])).toEqual(["settled"]);
  });

  test("a scale is seen by the number of replicas, and no other change is taken for it", () => {
    const scale = { kind: ActionKind.SCALE, replicas: 3 };
    expect(
      follow(scale, [
        [6_000, node({ ...healthy, ...changed })],
        [7_000, node({ ...progressing, ...changed, wanted: 3 })],
        [9_000, node({ ...healthy, ...changed, wanted: 3, ready: 3 })],
      ]),
    ).toEqual(["waiting", "progressing", "settled"]);
  });

  test("an image is seen by its name, also of what says no time of change", () => {
    const image = { kind: ActionKind.SET_IMAGE, container: "app", image: "app:2" };
    expect(follow(image, [[100, node({ revision: 2, images: ["app:2"], changedAt: CHANGED })]])).toEqual(["settled"]);
  });

  test("a workload that was broken before has failed only after ten seconds, and recovers", () => {
    expect(
      follow(RESTART, [
        [0, node({ ...degraded, ...changed })],
        [9_000, node({ ...degraded, ...changed })],
        [10_000, node({ ...degraded, ...changed })],
        [20_000, node({ ...progressing, ...changed })],
        [30_000, node({ ...healthy, ...changed })],
      ]),
    ).toEqual(["progressing", "progressing", "failed", "progressing", "settled"]);
  });

  test("a rollout of five minutes is still running, and may settle later", () => {
    expect(
      follow(RESTART, [
        [SLOW_MS - 1, node({ ...progressing, ...changed })],
        [SLOW_MS, node({ ...progressing, ...changed })],
        [SLOW_MS + 1, node({ ...healthy, ...changed })],
      ]),
    ).toEqual(["progressing", "slow", "settled"]);
  });

  test("what has settled stays so, whatever becomes of the resource", () => {
    expect(
      follow(RESTART, [
        [0, node({ ...healthy, ...changed })],
        [1_000, node({ ...degraded, ...changed })],
        [2_000, undefined],
      ]),
    ).toEqual(["settled", "settled", "settled"]);
  });

  test("what was deleted, or created anew, is gone", () => {
    expect(follow(RESTART, [[0, undefined]])).toEqual(["gone"]);
    expect(follow(RESTART, [[0, node({ ...healthy, ...changed, createdAt: timestampFromMs(9_000) })]])).toEqual(["gone"]);
  });

  test("an eviction and a deletion are under way until the resource is gone, whatever its health", () => {
    for (const kind of [ActionKind.EVICT, ActionKind.DELETE])
      expect(
        follow({ kind }, [
          [0, node(healthy)],
          [40_000, node({ ...healthy, ...changed })],
          [SLOW_MS, node(healthy)],
          [SLOW_MS + 1, undefined],
        ]),
      ).toEqual(["progressing", "progressing", "slow", "gone"]);
  });

  test("what creates a Job is done with that: its own resource stays as it is", () => {
    expect(follow({ kind: ActionKind.RUN_NOW }, [[0, node(healthy)]])).toEqual(["settled"]);
  });

  test("the end has its time, which stays", () => {
    const settled = followStep(FOLLOW_BEGINS, {
      intent: RESTART,
      mark: markOf(node()),
      writtenMs: WRITTEN_MS,
      node: node({ ...healthy, ...changed }),
      nowMs: WRITTEN_MS + 7,
    });
    expect(settled).toMatchObject({ kind: "settled", endedMs: WRITTEN_MS + 7 });
    const later = { intent: RESTART, mark: markOf(node()), writtenMs: WRITTEN_MS, node: undefined, nowMs: WRITTEN_MS + 9 };
    expect(followStep(settled, later)).toBe(settled);
    expect(followStep(FOLLOW_BEGINS, later)).toMatchObject({ kind: "gone", endedMs: WRITTEN_MS + 9 });
  });

  test("a suspended workload, and one without a health rule, have settled", () => {
    expect(follow(RESTART, [[0, node({ ...changed, health: { status: HealthStatus.SUSPENDED } })]])).toEqual(["settled"]);
    expect(follow(RESTART, [[0, node(changed)]])).toEqual(["settled"]);
  });

  test("a state that stays is the same object, so that nothing is drawn for it", () => {
    const mark = markOf(node());
    const question = { intent: RESTART, mark, writtenMs: WRITTEN_MS, node: node({ ...progressing, ...changed }), nowMs: WRITTEN_MS };
    const first = followStep(FOLLOW_BEGINS, question);
    expect(followStep(first, { ...question, nowMs: WRITTEN_MS + 1_000 })).toBe(first);
  });
});
