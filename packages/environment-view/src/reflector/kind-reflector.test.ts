import { createStatus } from "@binnacle/kube";
import { quoted } from "@binnacle/words";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { KindReflectorHarness as Harness, pod } from "./kind-reflector-harness.ts";

const OFFLINE = new KubeClientError("agent_offline", "no tunnel");

describe("KindReflector", () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  test("lists in pages and then watches from there", async () => {
    for (let index = 0; index < 750; index += 1) harness.cluster.put("/pods", pod(`p${index}`));
    await harness.start();
    expect(harness.shown.size).toBe(750);
    expect(harness.source.state.settled).toBe("live");
    harness.cluster.put("/pods", pod("new"));
    harness.cluster.delete("/pods", "p0");
    await harness.clock.elapse(0);
    expect(harness.names()).toContain("new");
    expect(harness.names()).not.toContain("p0");
    expect(harness.cluster.requests.filter((request) => request.endsWith("/pods"))).toEqual(["list /pods", "page /pods", "watch /pods"]);
  });

  test("resumes after a disconnect without a list and finds what was deleted and re-created meanwhile", async () => {
    harness.cluster.put("/pods", pod("gone"));
    const before = harness.cluster.put("/pods", pod("again"));
    await harness.start();
    harness.cluster.outage = OFFLINE;
    harness.cluster.disconnect();
    await harness.clock.elapse(2_000);
    expect(harness.source.state.settled).toBe("live");
    expect(harness.source.state.stale).toMatchObject({ cause: "way" });
    harness.cluster.delete("/pods", "gone");
    harness.cluster.delete("/pods", "again");
    const after = harness.cluster.put("/pods", pod("again", "Pending"));
    harness.cluster.outage = undefined;
    await harness.clock.elapse(8_000);
    expect([...harness.shown.keys()]).toEqual([after.metadata.uid]);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(harness.source.state.settled).toBe("live");
    expect(harness.cluster.count("list /pods")).toBe(1);
  });

  test("replaces everything after 410", async () => {
    harness.cluster.put("/pods", pod("a"));
    harness.cluster.put("/pods", pod("b"));
    await harness.start();
    harness.cluster.outage = OFFLINE;
    harness.cluster.disconnect();
    await harness.clock.elapse(1_000);
    harness.cluster.delete("/pods", "a");
    harness.cluster.put("/pods", pod("c"));
    harness.cluster.compact();
    harness.cluster.outage = undefined;
    await harness.clock.elapse(8_000);
    expect(harness.names()).toEqual(["b", "c"]);
    expect(harness.cluster.count("list /pods")).toBe(2);
  });

  test("many disconnects still make one list", async () => {
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    for (let round = 0; round < 5; round += 1) {
      harness.cluster.disconnect();
      await harness.clock.elapse(3_000);
      harness.cluster.put("/pods", pod(`r${round}`));
      await harness.clock.elapse(0);
    }
    expect(harness.names()).toEqual(["a", "r0", "r1", "r2", "r3", "r4"]);
    expect(harness.cluster.count("list /pods")).toBe(1);
  });

  test("a watch that ended in its time is opened again at once, from where it was", async () => {
    await harness.start();
    await harness.clock.elapse(5_000);
    harness.cluster.endsQuietly = true;
    harness.cluster.disconnect();
    await harness.clock.elapse(0);
    expect(harness.cluster.count("watch /pods")).toBe(2);
    harness.cluster.put("/pods", pod("a"));
    await harness.clock.elapse(0);
    expect(harness.names()).toEqual(["a"]);
    expect(harness.cluster.count("list /pods")).toBe(1);
  });

  test("watches that end at once are opened ever more rarely, and at once again when one has brought something", async () => {
    harness.cluster.watchesEndAtOnce = true;
    await harness.start();
    await harness.clock.elapse(60_000);
    const opened = harness.cluster.count("watch /pods");
    expect(opened).toBeGreaterThan(2);
    expect(opened).toBeLessThan(50);
    harness.cluster.watchesEndAtOnce = false;
    harness.cluster.put("/pods", pod("a"));
    await harness.clock.elapse(30_000);
    expect(harness.names()).toEqual(["a"]);
    harness.cluster.endsQuietly = true;
    harness.cluster.disconnect();
    await harness.clock.elapse(0);
    expect(harness.cluster.openWatches("/pods")).toBe(1);
  });

  test("watches that are refused after six seconds each are opened ever more rarely", async () => {
    await harness.start();
    harness.cluster.clock = harness.clock;
    harness.cluster.slowMs = 6_000;
    harness.cluster.watchRefusal = new KubeClientError("api", "broken", { status: createStatus(500, "broken") });
    harness.cluster.disconnect();
    await harness.clock.elapse(60_000);
    const before = harness.cluster.count("watch /pods");
    await harness.clock.elapse(600_000);
    // Six seconds and the longest delay, which is three seconds without chance: had the six seconds counted as a watch, there were 99.
    expect(harness.cluster.count("watch /pods") - before).toBeLessThanOrEqual(67);
  });

  test("an error in a watch is reported, and the watch continues where it was", async () => {
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    harness.cluster.watchError = createStatus(500, "etcd is slow");
    harness.cluster.disconnect();
    await harness.clock.elapse(3_000);
    expect(harness.source.state).toMatchObject({ settled: "live", stale: { cause: "error", words: quoted("etcd is slow") } });
    expect(harness.names()).toEqual(["a"]);
    harness.cluster.watchError = undefined;
    harness.cluster.put("/pods", pod("b"));
    await harness.clock.elapse(30_000);
    expect(harness.names()).toEqual(["a", "b"]);
    expect(harness.source.state.settled).toBe("live");
    expect(harness.cluster.count("list /pods")).toBe(1);
  });

  test("a list that expires between two pages is begun again", async () => {
    for (let index = 0; index < 750; index += 1) harness.cluster.put("/pods", pod(`p${index}`));
    harness.cluster.clock = harness.clock;
    harness.cluster.slowMs = 100;
    await harness.start();
    await harness.clock.elapse(150);
    expect(harness.cluster.count("page /pods")).toBe(1);
    harness.cluster.put("/pods", pod("new"));
    harness.cluster.compact();
    await harness.clock.elapse(10_000);
    expect(harness.shown.size).toBe(751);
    expect(harness.cluster.count("list /pods")).toBe(2);
  });

  test("says the API server's sentence while forbidden and recovers when it is allowed", async () => {
    harness.cluster.forbidden.add("/pods");
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    expect(harness.source.state).toMatchObject({ settled: "forbidden", words: quoted("you may not do that with /pods") });
    harness.cluster.forbidden.delete("/pods");
    await harness.clock.elapse(60_000);
    expect(harness.source.state.settled).toBe("live");
    expect(harness.names()).toEqual(["a"]);
  });

  test("takes objects away when the right is lost", async () => {
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    harness.cluster.forbidden.add("/pods");
    harness.cluster.disconnect();
    await harness.clock.elapse(5_000);
    expect(harness.source.state.settled).toBe("forbidden");
    expect(harness.names()).toEqual([]);
  });

  test("lists every minute where watching is refused", async () => {
    harness.cluster.forbiddenWatch.add("/pods");
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    await harness.clock.elapse(1_000);
    expect(harness.source.state.settled).toBe("live");
    harness.cluster.put("/pods", pod("b"));
    await harness.clock.elapse(61_000);
    expect(harness.names()).toEqual(["a", "b"]);
    expect(harness.cluster.count("watch /pods")).toBe(1);
  });

  test("W21: a right to watch that is given later is used, and until then requested every five minutes", async () => {
    harness.cluster.forbiddenWatch.add("/pods");
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    await harness.clock.elapse(601_000);
    expect(harness.source.state).toMatchObject({ settled: "live", stale: { cause: "sampled" } });
    expect(harness.cluster.count("watch /pods")).toBe(3);
    harness.cluster.forbiddenWatch.delete("/pods");
    await harness.clock.elapse(361_000);
    expect(harness.cluster.openWatches("/pods")).toBe(1);
    expect(harness.source.state.stale).toBeUndefined();
    const lists = harness.cluster.count("list /pods");
    await harness.clock.elapse(600_000);
    expect(harness.cluster.count("list /pods")).toBe(lists);
  });

  test.each([
    new KubeClientError("agent_offline", "no tunnel"),
    new KubeClientError("connection", "the tunnel broke"),
    new KubeClientError("timeout", "no answer in time"),
    new KubeClientError("unauthorized", "the credential is refused"),
    new KubeClientError("api", "broken", { status: createStatus(500, "broken") }),
    new KubeClientError("api", "slow down", { status: createStatus(429, "slow down") }),
  ])("W5, UB3: a request that fails never replaces a 403 ($failure: $message)", async (outage) => {
    harness.cluster.forbidden.add("/pods");
    await harness.start();
    harness.cluster.outage = outage;
    await harness.clock.elapse(300_000);
    const cause = outage.failure === "api" ? "error" : "way";
    const text = quoted("you may not do that with /pods");
    expect(harness.source.state).toMatchObject({ settled: "forbidden", words: text, stale: { cause } });
    harness.cluster.outage = undefined;
    await harness.clock.elapse(100_000);
    expect(harness.source.state.settled).toBe("forbidden");
    expect(harness.source.state.stale).toBeUndefined();
  });

  test("UB3: an error is the state of a kind only while the API server has reported nothing else of it", async () => {
    const status = createStatus(500, "etcd is away");
    harness.cluster.outage = new KubeClientError("api", "etcd is away", { status });
    await harness.start();
    expect(harness.source.state).toMatchObject({ settled: "error", words: quoted("etcd is away") });
    harness.cluster.outage = undefined;
    harness.cluster.put("/pods", pod("a"));
    await harness.clock.elapse(60_000);
    const asOfMs = harness.source.state.asOfMs;
    harness.cluster.outage = new KubeClientError("api", "etcd is away", { status });
    harness.cluster.disconnect();
    await harness.clock.elapse(60_000);
    expect(harness.source.state).toMatchObject({ settled: "live", asOfMs, stale: { cause: "error", words: quoted("etcd is away") } });
    expect(harness.names()).toEqual(["a"]);
  });

  test("W5: doubts keep the time of the first one, whatever fails later", async () => {
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    harness.cluster.outage = new KubeClientError("agent_offline", "no tunnel");
    harness.cluster.disconnect();
    await harness.clock.elapse(20_000);
    const since = harness.source.state.stale?.sinceMs;
    harness.cluster.outage = new KubeClientError("api", "broken", { status: createStatus(500, "broken") });
    await harness.clock.elapse(60_000);
    expect(harness.source.state.stale).toMatchObject({ sinceMs: since, cause: "error" });
  });

  test("keeps its objects and tells when it tries again while the API server fails", async () => {
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "slow down",
      reason: "TooManyRequests",
      code: 429,
    } as const;
    harness.cluster.outage = new KubeClientError("api", "slow down", { status, retryAfterSeconds: 8 });
    harness.cluster.disconnect();
    await harness.clock.elapse(1_000);
    expect(harness.source.state).toMatchObject({ settled: "live", stale: { cause: "error", words: quoted("slow down") } });
    expect(harness.source.state.retryAtMs).toBeGreaterThanOrEqual(harness.clock.now() + 7_000);
    expect(harness.names()).toEqual(["a"]);
    harness.cluster.outage = undefined;
    await harness.clock.elapse(10_000);
    expect(harness.source.state.settled).toBe("live");
  });
});

describe("KindReflector with other settings", () => {
  test("a kind that is not expected is only probed until there is an object", async () => {
    const harness = new Harness({ eager: false });
    await harness.start();
    await harness.clock.elapse(59_000);
    expect(harness.source.state.settled).toBe("live");
    expect(harness.cluster.count("list /pods")).toBe(0);
    harness.cluster.put("/pods", pod("first"));
    await harness.clock.elapse(2_000);
    expect(harness.names()).toEqual(["first"]);
    expect(harness.cluster.count("list /pods")).toBe(1);
    await harness.end();
  });

  test("a kind beyond its limit is truncated and says how many there are", async () => {
    const harness = new Harness({ maxObjects: 500 });
    for (let index = 0; index < 1_200; index += 1) harness.cluster.put("/pods", pod(`p${index}`));
    await harness.start();
    expect(harness.source.state).toMatchObject({ settled: "truncated", total: 1_200 });
    expect(harness.shown.size).toBe(500);
    // What comes is counted, what is shown follows, and nothing is shown beyond the limit.
    harness.cluster.put("/pods", pod("new"));
    const known = [...harness.shown.values()][0]?.metadata.name ?? "";
    harness.cluster.put("/pods", pod(known, "Failed"));
    await harness.clock.elapse(0);
    expect(harness.names()).not.toContain("new");
    expect([...harness.shown.values()].find(({ metadata }) => metadata.name === known)?.["status"]).toEqual({ phase: "Failed" });
    await harness.end();
  });
});
