import { createStatus } from "@binnacle/kube";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { KindReflectorHarness, pod } from "./kind-reflector-harness.ts";

const OFFLINE = new KubeClientError("agent_offline", "no tunnel");

function refusal(code: number): KubeClientError {
  const message = "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
  return new KubeClientError("api", message, { status: createStatus(code, message) });
}

/** Requests about the kind, in order. */
function requests({ cluster }: KindReflectorHarness): string[] {
  return cluster.requests.filter((request) => request.endsWith("/pods")).map((request) => request.replace(" /pods", ""));
}

describe("a source whose server streams lists", () => {
  let harness: KindReflectorHarness;
  beforeEach(() => {
    harness = new KindReflectorHarness({ streams: true });
    for (const name of ["a", "b", "c"]) harness.cluster.put("/pods", pod(name));
  });
  afterEach(() => harness.end());

  test("fills and goes on watching in one request", async () => {
    await harness.start();
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(harness.source.state).toMatchObject({ settled: "live", asOfMs: harness.clock.now() });
    harness.cluster.put("/pods", pod("d"));
    harness.cluster.delete("/pods", "a");
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["b", "c", "d"]);
    expect(requests(harness)).toEqual(["stream"]);
  });

  test("resumes with a plain watch after a disconnect", async () => {
    await harness.start();
    harness.cluster.disconnect();
    harness.cluster.put("/pods", pod("d"));
    await harness.clock.elapse(3_000);
    expect(harness.names()).toEqual(["a", "b", "c", "d"]);
    expect(requests(harness)).toEqual(["stream", "watch"]);
  });

  test("a bookmark saves it from filling anew when the history is gone", async () => {
    await harness.start();
    harness.cluster.put("apps/deployments", pod("elsewhere"));
    harness.cluster.bookmark();
    await harness.clock.elapse(0);
    harness.cluster.compact();
    harness.cluster.disconnect();
    harness.cluster.put("/pods", pod("d"));
    await harness.clock.elapse(3_000);
    expect(harness.names()).toEqual(["a", "b", "c", "d"]);
    expect(requests(harness)).toEqual(["stream", "watch"]);
  });

  test("streams anew after 410, replaces everything and tells nothing twice", async () => {
    await harness.start();
    harness.reported.length = 0;
    harness.cluster.outage = OFFLINE;
    harness.cluster.disconnect();
    await harness.clock.elapse(1_000);
    harness.cluster.delete("/pods", "a");
    const changed = harness.cluster.put("/pods", pod("b", "Failed"));
    harness.cluster.compact();
    harness.cluster.outage = undefined;
    await harness.clock.elapse(8_000);
    expect(harness.reported).toEqual(["-a", `+b@${changed.metadata.resourceVersion}`]);
    expect(requests(harness).filter((request) => request === "stream")).toHaveLength(2);
    expect(harness.cluster.count("list /pods")).toBe(0);
  });

  test("counts changes that overtake the end of the initial events", async () => {
    harness.cluster.changesBeforeEnd = true;
    harness.cluster.streamsHeldAfter = 2;
    await harness.start();
    harness.cluster.delete("/pods", "a");
    const changed = harness.cluster.put("/pods", pod("b", "Failed"));
    harness.cluster.put("/pods", pod("d"));
    harness.cluster.releaseStreams();
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["b", "c", "d"]);
    expect(harness.reported).toContain(`+b@${changed.metadata.resourceVersion}`);
    expect(harness.reported).toHaveLength(3);
  });

  test("shows nothing of a stream that breaks in its initial events, and begins again", async () => {
    harness.cluster.streamBreaksAfter = 2;
    await harness.start();
    expect(harness.reported).toEqual([]);
    expect(harness.source.state.settled).toBeUndefined();
    harness.cluster.streamBreaksAfter = undefined;
    await harness.clock.elapse(1_000);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(requests(harness)).toEqual(["stream", "stream"]);
  });

  test("turns to pages when streams keep breaking in their initial events, and streams again the next time", async () => {
    harness.cluster.streamBreaksAfter = 2;
    await harness.start();
    await harness.clock.elapse(10_000);
    expect(harness.source.state.settled).toBe("live");
    expect(requests(harness)).toEqual(["stream", "stream", "stream", "list", "watch"]);
    harness.cluster.streamBreaksAfter = undefined;
    harness.cluster.disconnect();
    harness.cluster.put("/pods", pod("d"));
    harness.cluster.compact();
    await harness.clock.elapse(8_000);
    expect(requests(harness).at(-1)).toBe("stream");
    expect(harness.names()).toEqual(["a", "b", "c", "d"]);
  });

  test.each([400, 422])("a server that answers %i is listed in pages for good", async (code) => {
    harness.cluster.streamRefusal = refusal(code);
    await harness.start();
    expect(harness.names()).toEqual(["a", "b", "c"]);
    harness.cluster.disconnect();
    harness.cluster.put("/pods", pod("d"));
    harness.cluster.compact();
    await harness.clock.elapse(8_000);
    expect(harness.names()).toEqual(["a", "b", "c", "d"]);
    expect(requests(harness)).toEqual(["stream", "list", "watch", "watch", "list", "watch"]);
  });

  test("who may list but not watch is listed every minute", async () => {
    harness.cluster.forbiddenWatch.add("/pods");
    await harness.start();
    expect(harness.names()).toEqual(["a", "b", "c"]);
    harness.cluster.put("/pods", pod("d"));
    await harness.clock.elapse(61_000);
    expect(harness.names()).toEqual(["a", "b", "c", "d"]);
    expect(harness.cluster.count("stream /pods")).toBe(1);
  });

  test("a server that takes it for a plain watch is found out by its silence, while the way is well", async () => {
    harness.cluster.ignoresInitialEvents = true;
    await harness.start();
    await harness.clock.elapse(14_000);
    expect(harness.source.state.settled).toBeUndefined();
    await harness.clock.elapse(1_000);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(requests(harness)).toEqual(["stream", "list", "watch"]);
  });

  test("a server that takes it for a plain watch is found out by its first bookmark", async () => {
    harness.cluster.ignoresInitialEvents = true;
    await harness.start();
    harness.cluster.bookmark();
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["a", "b", "c"]);
    expect(requests(harness)).toEqual(["stream", "list", "watch"]);
  });

  test("gives its place back when the initial events have ended", async () => {
    const others = await Promise.all(Array.from({ length: 7 }, () => harness.semaphore.enter()));
    await harness.start();
    expect(harness.cluster.openWatches("/pods")).toBe(1);
    const last = await harness.semaphore.enter();
    for (const leave of [...others, last]) leave();
  });
});

describe("a source whose server streams lists, with other settings", () => {
  test("a kind beyond its limit is listed in pages and truncated", async () => {
    const harness = new KindReflectorHarness({ streams: true, maxObjects: 500 });
    for (let index = 0; index < 1_200; index += 1) harness.cluster.put("/pods", pod(`p${index}`));
    await harness.start();
    expect(harness.source.state).toMatchObject({ settled: "truncated", total: 1_200 });
    expect(harness.shown.size).toBe(500);
    expect(requests(harness)).toEqual(["stream", "list", "watch"]);
    await harness.end();
  });

  test("a kind without a watch of its own is listed in pages", async () => {
    const harness = new KindReflectorHarness({ streams: true, watched: false });
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    expect(harness.names()).toEqual(["a"]);
    expect(requests(harness)).toEqual(["list"]);
    await harness.end();
  });

  test("silence of the way is not held against the server", async () => {
    const harness = new KindReflectorHarness({ streams: true });
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    harness.cluster.disconnect();
    harness.cluster.compact();
    harness.cluster.ignoresInitialEvents = true;
    harness.cluster.put("/pods", pod("b"));
    harness.cluster.compact();
    await harness.clock.elapse(3_000);
    harness.cluster.hanging = true;
    await harness.clock.elapse(40_000);
    harness.cluster.ignoresInitialEvents = false;
    harness.cluster.hanging = false;
    await harness.clock.elapse(40_000);
    expect(harness.names()).toEqual(["a", "b"]);
    expect(harness.cluster.count("list /pods")).toBe(0);
    await harness.end();
  });
});
