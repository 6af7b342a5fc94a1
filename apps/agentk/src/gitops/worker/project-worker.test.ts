import { KEPT_FIELDS, PAUSED, PRUNE_CONSENT, SYNC_REQUESTED, TAKE_OVER } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { ApiAnswer } from "../../cluster-access/cluster-api.ts";
import { requestsOf } from "../inventory/inventory.ts";
import { untilRequestsChange } from "./project-worker.ts";

const PAUSED_MAP = { annotations: { [PAUSED]: "true" } };

let clock: ManualClock;
let answer: () => ApiAnswer;
let targets: string[];
let leave: AbortController;
let isHeard: boolean;
beforeEach(() => {
  clock = new ManualClock();
  targets = [];
  leave = new AbortController();
  isHeard = false;
  answer = () => map({});
});

function map(annotations: Readonly<Record<string, string>>): ApiAnswer {
  return { statusCode: 200, value: { metadata: { annotations } } };
}

/** Waits as after a sync that has read `annotations`. */
function wait(annotations: Readonly<Record<string, string>>, changedAtMs = Number.NEGATIVE_INFINITY): Promise<void> {
  const api = {
    async call({ target }: { readonly target: string }) {
      targets.push(target);
      return answer();
    },
  };
  const read = { namespace: "shop", name: "inventory-1-2", requests: requestsOf(map(annotations).value), changedAtMs };
  return untilRequestsChange(read, { api, clock }, leave.signal).then(() => void (isHeard = true));
}

test.each([PAUSED, PRUNE_CONSENT, SYNC_REQUESTED, TAKE_OVER, KEPT_FIELDS])(
  "%s that is written or removed is noticed within ten seconds",
  async (name) => {
    const [written, taken] = [wait({}), wait({ [name]: "a" })];
    await clock.elapse(10_000);
    await taken;
    answer = () => map({ [name]: "b" });
    await clock.elapse(10_000);
    await written;
    expect(targets[0]).toBe("/api/v1/namespaces/shop/configmaps/inventory-1-2");
    clock.assertIdle();
  },
);

test("other annotations, a ConfigMap that is gone, and a cluster that does not answer say nothing", async () => {
  const waiting = wait(PAUSED_MAP.annotations);
  for (const say of [
    () => map({ ...PAUSED_MAP.annotations, other: "x" }),
    () => ({ statusCode: 404, value: { kind: "Status" } }),
    () => {
      throw new Error("away");
    },
  ]) {
    answer = say;
    await clock.elapse(30_000);
    expect(isHeard).toBe(false);
  }
  expect(targets.length).toBe(9);
  leave.abort();
  await waiting;
  clock.assertIdle();
});

test("for a minute after a request the next one is heard within two seconds", async () => {
  const waiting = wait({}, clock.now());
  await clock.elapse(58_000);
  expect(targets.length).toBe(29);
  answer = () => map({ [PAUSED]: "true" });
  await clock.elapse(2_000);
  await waiting;
  const late = wait({}, clock.now() - 60_000);
  await clock.elapse(9_999);
  expect(targets.length).toBe(30);
  await clock.elapse(1);
  await late;
  clock.assertIdle();
});
