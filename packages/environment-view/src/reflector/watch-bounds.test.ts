import { createStatus } from "@binnacle/kube";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { KindReflectorHarness, pod } from "./kind-reflector-harness.ts";
import { progressOf } from "./watch-silence.ts";

/** Requests about the kind, in order. */
function requests({ cluster }: KindReflectorHarness): string[] {
  return cluster.requests.filter((request) => request.endsWith("/pods")).map((request) => request.replace(" /pods", ""));
}

describe.each([{ streams: false }, { streams: true }])("the watch of a source (streamed lists: $streams)", ({ streams }) => {
  let harness: KindReflectorHarness;
  beforeEach(async () => {
    harness = new KindReflectorHarness({ streams });
    harness.cluster.clock = harness.clock;
    for (const name of ["a", "b"]) harness.cluster.put("/pods", pod(name));
    await harness.start();
  });
  afterEach(() => harness.end());

  /** Time passes, with a bookmark each minute as of a real server. */
  async function elapse(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      harness.cluster.bookmark();
      await harness.clock.elapse(60_000);
    }
  }

  test("lasts between five and ten minutes, and its end is normal: it goes on at once where it was, without doubt and without a proof", async () => {
    expect(harness.cluster.lastTimeoutSeconds).toBe(300);
    const states: unknown[] = [];
    const before = requests(harness).length;
    const proofs = harness.cluster.count("discover");
    for (let minute = 0; minute < 4; minute += 1) await elapse(1);
    harness.cluster.bookmark();
    await harness.clock.elapse(59_000);
    const proofsBefore = harness.cluster.count("discover");
    await harness.clock.elapse(1_000);
    states.push(harness.source.state.stale);
    harness.cluster.put("/pods", pod("c"));
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(requests(harness).slice(before)).toEqual(["watch"]);
    expect(states).toEqual([undefined]);
    // Only the pace of all proofs.
    expect(harness.cluster.count("discover") - proofsBefore).toBeLessThanOrEqual(1);
    expect(proofsBefore).toBeGreaterThan(proofs);
  });

  test("an end of its time whose history has expired is read again, and nothing is reported twice", async () => {
    await elapse(4);
    harness.reported.length = 0;
    harness.cluster.put("apps/deployments", pod("elsewhere"));
    harness.cluster.compact();
    await harness.clock.elapse(61_000);
    harness.cluster.put("/pods", pod("c"));
    await harness.clock.elapse(1_000);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(harness.reported).toHaveLength(1);
    expect(harness.source.state).toMatchObject({ settled: "live" });
    expect(harness.source.state.stale).toBeUndefined();
  });

  test("R2: a watch whose connection is half dead is opened anew after 90 s of silence, where it was", async () => {
    harness.cluster.freezeWatches();
    harness.cluster.put("/pods", pod("c"));
    harness.cluster.delete("/pods", "a");
    await harness.clock.elapse(89_999);
    expect(harness.names()).toEqual(["a", "b"]);
    const before = requests(harness).length;
    await harness.clock.elapse(1);
    expect(requests(harness).slice(before)).toEqual(["probe", "watch"]);
    expect(harness.names()).toEqual(["b", "c"]);
    expect(harness.source.state.stale).toBeUndefined();
    expect(harness.cluster.openWatches("/pods")).toBe(1);
  });

  test("R2: a silent watch that cannot be opened anew at once has the age of what it brought last, until another is open", async () => {
    const heardAtMs = harness.clock.now();
    harness.cluster.freezeWatches();
    harness.cluster.put("/pods", pod("c"));
    await harness.clock.elapse(89_999);
    // The probe is answered, the new watch is not.
    harness.cluster.slowMs = 2_000;
    await harness.clock.elapse(1);
    harness.cluster.slowMs = 60_000;
    await harness.clock.elapse(4_999);
    expect(harness.source.state.stale).toBeUndefined();
    await harness.clock.elapse(1);
    expect(harness.source.state.stale).toMatchObject({ cause: "way", sinceMs: heardAtMs, words: { id: "source/watch-silent" } });
    harness.cluster.slowMs = 0;
    await harness.clock.elapse(60_000);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(harness.source.state.stale).toBeUndefined();
  });

  test("a silent watch whose history has expired is forgotten once everything is read: a later break does not have its age", async () => {
    harness.cluster.freezeWatches();
    harness.cluster.put("/pods", pod("c"));
    harness.cluster.compact();
    await harness.clock.elapse(95_000);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(harness.source.state.stale).toBeUndefined();
    await elapse(2);
    const brokenAtMs = harness.clock.now();
    harness.cluster.outage = new KubeClientError("agent_offline", "no tunnel");
    harness.cluster.disconnect();
    await harness.clock.elapse(5_000);
    expect(harness.source.state.stale?.sinceMs).toBeGreaterThan(brokenAtMs - 15_000);
    harness.cluster.outage = undefined;
    await harness.clock.elapse(10_000);
    expect(harness.source.state.stale).toBeUndefined();
  });

  test("silence alone is no error: while the history of the kind stands still the watch stays open", async () => {
    await harness.clock.elapse(200_000);
    expect(requests(harness).filter((request) => request === "watch")).toHaveLength(streams ? 0 : 1);
    expect(requests(harness).filter((request) => request === "probe")).toHaveLength(2);
    expect(harness.source.state.stale).toBeUndefined();
  });

  test("a server that sends no bookmarks and whose other kinds change costs a watch each 90 s, and the kind stays live", async () => {
    for (let each = 0; each < 3; each += 1) {
      harness.cluster.put("apps/deployments", pod(`elsewhere-${each}`));
      await harness.clock.elapse(90_000);
      expect(harness.source.state.stale).toBeUndefined();
    }
    const sent = requests(harness);
    expect(sent.filter((request) => request === "probe")).toHaveLength(3);
    expect(sent.filter((request) => request === "watch")).toHaveLength(streams ? 3 : 4);
    expect(harness.reported).toHaveLength(2);
  });

  test("a watch with bookmarks needs no other request", async () => {
    await elapse(4);
    expect(requests(harness)).not.toContain("probe");
  });

  test("versions that have gone back are read again from the beginning, and what is gone goes", async () => {
    harness.cluster.restore("/pods", ["b"]);
    await harness.clock.elapse(89_999);
    expect(harness.names()).toEqual(["a", "b"]);
    await harness.clock.elapse(1_000);
    expect(harness.names()).toEqual(["b"]);
    expect(harness.source.state).toMatchObject({ settled: "live" });
    expect(harness.source.state.stale).toBeUndefined();
    harness.cluster.put("/pods", pod("new"));
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["b", "new"]);
  });

  test("a silent kind of which the API server says nothing but an error has an age, and why", async () => {
    const error = new KubeClientError("api", "conversion webhook failed", { status: createStatus(500, "conversion webhook failed") });
    harness.cluster.failing.set("/pods", error);
    await harness.clock.elapse(90_000);
    expect(harness.source.state).toMatchObject({ settled: "live", stale: { cause: "error" } });
    expect(harness.names()).toEqual(["a", "b"]);
    harness.cluster.failing.clear();
    await harness.clock.elapse(90_000);
    expect(harness.source.state.stale).toBeUndefined();
  });

  test("the right to list that was withdrawn meanwhile is noticed in a silent watch", async () => {
    harness.cluster.forbidden.add("/pods");
    await harness.clock.elapse(92_000);
    expect(harness.source.state.settled).toBe("forbidden");
    expect(harness.names()).toEqual([]);
  });

  test("an end that never arrives is not waited for longer than half a minute", async () => {
    await elapse(2);
    harness.cluster.freezeWatches();
    // The kind stands still, so that no list tells anything.
    await harness.clock.elapse(180_000);
    const before = requests(harness).filter((request) => request === "watch").length;
    await harness.clock.elapse(30_000);
    expect(requests(harness).filter((request) => request === "watch")).toHaveLength(before + 1);
    harness.cluster.put("/pods", pod("c"));
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["a", "b", "c"]);
  });

  test("a version that the server does not know is not requested again: after its hint everything is read again", async () => {
    const details = { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 7 };
    const status = createStatus(504, "Too large resource version: 900, current: 50", { details });
    harness.cluster.failing.set("/pods", new KubeClientError("api", status.message, { status }));
    harness.cluster.disconnect();
    await harness.clock.elapse(6_000);
    expect(harness.source.state).toMatchObject({ settled: "live", stale: { cause: "error" } });
    harness.cluster.failing.clear();
    harness.cluster.restore("/pods", ["a"]);
    await harness.clock.elapse(7_000);
    expect(harness.names()).toEqual(["a"]);
    expect(harness.source.state.stale).toBeUndefined();
  });
});

test("a page that expires again and again says so, and is read when it no longer does", async () => {
  const harness = new KindReflectorHarness();
  harness.cluster.put("/pods", pod("a"));
  harness.cluster.failing.set("/pods", new KubeClientError("api", "expired", { status: createStatus(410, "expired") }));
  await harness.start();
  await harness.clock.elapse(5_000);
  expect(harness.source.state).toMatchObject({ settled: "error" });
  harness.cluster.failing.clear();
  await harness.clock.elapse(60_000);
  expect([harness.names(), harness.source.state.settled]).toEqual([["a"], "live"]);
  await harness.end();
});

test("a server that requests an endless delay is tried again within five minutes", async () => {
  const harness = new KindReflectorHarness();
  harness.cluster.failing.set("/pods", new KubeClientError("api", "later", { status: createStatus(429, "later"), retryAfterSeconds: 1e9 }));
  await harness.start();
  expect(harness.source.state.retryAtMs).toBe(harness.clock.now() + 300_000);
  harness.cluster.failing.clear();
  await harness.clock.elapse(300_000);
  expect(harness.source.state.settled).toBe("live");
  await harness.end();
});

test.each([
  ["7", "7", "none"],
  ["7", "8", "ahead"],
  ["10", "9", "back"],
  ["9007199254740993", "9007199254740992", "back"],
  ["abc.4", "abc.4", "none"],
  ["abc.4", "abc.3", "ahead"],
  ["7", "", "ahead"],
  ["9".repeat(41), "1", "ahead"],
])("the history at %s beside one at %s: %s", (ours, theirs, expected) => {
  expect(progressOf(ours, theirs)).toBe(expected);
});
