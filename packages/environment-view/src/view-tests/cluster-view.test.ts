import { createStatus, type KubeObject, type WatchEvent } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { words } from "@binnacle/words";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError, type KindStreamRequest } from "../base/kube-client.ts";
import { ScopePicture } from "./scope-picture.ts";
import { WatchBudget } from "../limits/watch-budget.ts";

const KINDS = ["/v1/pods/Pod", "apps/v1/deployments/Deployment", "/v1/configmaps/ConfigMap", "example.com/v1/widgets/Widget"].map(kindOf);
const TEN = Array.from({ length: 10 }, (_, index) => `ns-${index}`);

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<void>[];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS, { streams: true });
  stop = new AbortController();
  ended = [];
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await Promise.all(ended);
  clock.assertIdle();
  cluster.assertIdle();
});

function run(watches?: WatchBudget, maxObjectsPerKind?: number): ClusterView {
  const rest = { ...(watches === undefined ? {} : { watches }), ...(maxObjectsPerKind === undefined ? {} : { maxObjectsPerKind }) };
  const view = new ClusterView({ client: cluster, clock, random: () => 0, ...rest });
  ended.push(view.run(stop.signal));
  return view;
}

function pod(namespace: string, name: string): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace }, status: { phase: "Running" } };
}

/** Requests since then, but for the proofs of the connection. */
function requestsSince(count: number): readonly string[] {
  return cluster.places.slice(count);
}

/** What is settled of a source; "sampled" when that has an age because there is no watch for it. */
function stateOf(picture: ScopePicture, id: string): string | undefined {
  const source = picture.sources.get(id);
  return source?.stale?.cause === "sampled" ? "sampled" : source?.settled;
}

describe("ClusterView", () => {
  test("W1: ten environments of one agent cost the upstream of one cluster", async () => {
    for (const namespace of TEN) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    const view = run();
    const pictures = TEN.map((namespace) => new ScopePicture(view.openScope({ namespaces: [namespace] })));
    await clock.elapse(5_000);
    for (const [index, picture] of pictures.entries()) {
      expect(picture.names()).toEqual([`pod-of-${TEN[index]}`]);
      expect(picture.complete).toBe(true);
      expect([...picture.sources.values()].map(({ namespace, settled }) => [namespace, settled])).toEqual(
        KINDS.map(() => [TEN[index], "live"]),
      );
    }
    expect(cluster.openWatches()).toBe(3);
    // The first two were begun when there were no more than two; the cost of all of each kind was requested once.
    expect(cluster.places.filter((place) => place.startsWith("stream"))).toHaveLength(9);
    expect(cluster.places.filter((place) => place.startsWith("probe")).length).toBeLessThanOrEqual(7);
  });

  test("W1: an environment more adds no request where all of the cluster is read", async () => {
    const view = run();
    for (const namespace of TEN) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    for (const namespace of TEN.slice(1)) view.openScope({ namespaces: [namespace] });
    await clock.elapse(5_000);
    const before = cluster.places.length;
    const picture = new ScopePicture(view.openScope({ namespaces: ["ns-0"] }));
    await clock.elapse(0);
    // What is known is there with the first message.
    expect(picture.messages).toBe(1);
    expect(picture.complete).toBe(true);
    expect(picture.names()).toEqual(["pod-of-ns-0"]);
    await clock.elapse(5_000);
    expect(requestsSince(before)).toEqual([]);
  });

  test("W1: two hundred viewers of one environment cost the upstream of one", async () => {
    cluster.put("/pods", pod("app", "web"));
    const scope = run().openScope({ namespaces: ["app"] });
    const first = new ScopePicture(scope);
    await clock.elapse(5_000);
    const before = cluster.requests.length;
    const viewers = Array.from({ length: 200 }, () => new ScopePicture(scope));
    await clock.elapse(0);
    for (const viewer of [first, ...viewers]) expect(viewer.names()).toEqual(["web"]);
    expect(cluster.requests.length).toBe(before);
  });

  test("W1: environments with the same namespaces share their sources, and the one that stays keeps them", async () => {
    for (const namespace of ["a", "b"]) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    const view = run();
    const both = view.openScope({ namespaces: ["a", "b"] });
    const one = view.openScope({ namespaces: ["b"] });
    const [wide, narrow] = [new ScopePicture(both), new ScopePicture(one)];
    await clock.elapse(5_000);
    expect(cluster.places.filter((place) => place === "stream /pods@b")).toHaveLength(1);
    expect(wide.names()).toEqual(["pod-of-a", "pod-of-b"]);
    wide.close();
    both.close();
    cluster.put("/pods", pod("b", "late"));
    await clock.elapse(1_000);
    expect(narrow.names()).toEqual(["late", "pod-of-b"]);
    expect(cluster.places.filter((place) => place === "stream /pods@b")).toHaveLength(1);
    expect(cluster.openWatches("/pods")).toBe(1);
  });

  test("W1: a source of all namespaces takes over only when it has read everything, and nothing vanishes", async () => {
    for (const namespace of ["a", "b", "c"]) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    const view = run();
    const pictures = ["a", "b"].map((namespace) => new ScopePicture(view.openScope({ namespaces: [namespace] })));
    await clock.elapse(5_000);
    cluster.streamsHeldAfter = 1;
    pictures.push(new ScopePicture(view.openScope({ namespaces: ["c"] })));
    await clock.elapse(5_000);
    // Two old ones, and the new one that has not brought everything.
    expect(cluster.openWatches("/pods")).toBe(3);
    expect(pictures.slice(0, 2).map((picture) => stateOf(picture, `/pods/${picture.names()[0]?.slice(-1)}`))).toEqual(["live", "live"]);
    cluster.put("/pods", pod("a", "meanwhile"));
    cluster.releaseStreams();
    await clock.elapse(5_000);
    expect(cluster.openWatches("/pods")).toBe(1);
    expect(pictures.map((picture) => picture.names())).toEqual([["meanwhile", "pod-of-a"], ["pod-of-b"], ["pod-of-c"]]);
    expect(pictures.flatMap(({ removed }) => removed)).toEqual([]);
  });

  test("W1: a client that may not list all namespaces reads each, and tries the list of all again after ten minutes", async () => {
    for (const { group, resource } of KINDS) cluster.forbidden.add(`${group}/${resource}@`);
    for (const namespace of TEN) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    const view = run();
    const pictures = TEN.map((namespace) => new ScopePicture(view.openScope({ namespaces: [namespace] })));
    await clock.elapse(10_000);
    expect(pictures.map((picture) => picture.names())).toEqual(TEN.map((namespace) => [`pod-of-${namespace}`]));
    expect(cluster.openWatches("/pods")).toBe(10);
    await clock.elapse(500_000);
    expect(cluster.places.filter((place) => place.endsWith(" /pods@"))).toEqual(["probe /pods@"]);
    cluster.forbidden.clear();
    await clock.elapse(120_000);
    expect(cluster.openWatches("/pods")).toBe(1);
    expect(pictures.flatMap(({ removed }) => removed)).toEqual([]);
  });

  test("W1: when all namespaces may not be read any more each is read by itself, and nothing vanishes", async () => {
    for (const namespace of TEN) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    const view = run();
    const pictures = TEN.map((namespace) => new ScopePicture(view.openScope({ namespaces: [namespace] })));
    await clock.elapse(5_000);
    cluster.forbidden.add("/pods@").add("/pods@ns-3");
    cluster.disconnect();
    await clock.elapse(60_000);
    expect(cluster.openWatches("/pods")).toBe(9);
    for (const [index, picture] of pictures.entries()) {
      const isRefused = index === 3;
      expect(stateOf(picture, `/pods/${TEN[index]}`)).toBe(isRefused ? "forbidden" : "live");
      expect(picture.names()).toEqual(isRefused ? [] : [`pod-of-${TEN[index]}`]);
      expect(picture.removed).toEqual(isRefused ? ["pod-of-ns-3"] : []);
    }
  });

  test("W1: what was read with a right that is withdrawn goes after 30 s where no source of its own answers", async () => {
    for (const namespace of TEN) cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
    const { stream } = cluster;
    let isBroken = false;
    const stubborn = (request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> | undefined => {
      if (isBroken && request.namespace !== "") throw new KubeClientError("api", "broken", { status: createStatus(500, "broken") });
      return stream?.(request, signal);
    };
    Object.assign(cluster, { stream: stubborn });
    const view = run();
    const pictures = TEN.map((namespace) => new ScopePicture(view.openScope({ namespaces: [namespace] })));
    await clock.elapse(5_000);
    isBroken = true;
    cluster.forbidden.add("/pods@");
    cluster.disconnect();
    await clock.elapse(20_000);
    expect(pictures.flatMap((picture) => picture.names())).toHaveLength(10);
    await clock.elapse(15_000);
    expect(pictures.flatMap((picture) => picture.names())).toEqual([]);
    isBroken = false;
    await clock.elapse(60_000);
    expect(pictures.flatMap((picture) => picture.names())).toHaveLength(10);
  });

  test("W1: an environment of one namespace is whole while another of all namespaces is refused or truncated", async () => {
    for (let index = 0; index < 20; index += 1) cluster.put("/pods", pod("b", `pod-${index}`));
    cluster.put("/pods", pod("a", "web"));
    cluster.forbidden.add("/configmaps@");
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "a" } });
    const view = run(undefined, 10);
    const all = new ScopePicture(view.openScope({ namespaces: [] }));
    const one = new ScopePicture(view.openScope({ namespaces: ["a"] }));
    await clock.elapse(10_000);
    expect([stateOf(all, "/pods/"), stateOf(all, "/configmaps/")]).toEqual(["truncated", "forbidden"]);
    expect([stateOf(one, "/pods/a"), stateOf(one, "/configmaps/a")]).toEqual(["live", "live"]);
    expect(one.names()).toEqual(["settings", "web"]);
    expect(all.names()).not.toContain("settings");
  });

  test("W1: kinds on a page get watches before kinds without a viewer, for any viewer", async () => {
    const watches = new WatchBudget(2);
    for (const namespace of ["a", "b"]) {
      cluster.put("/pods", pod(namespace, `pod-of-${namespace}`));
      cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace } });
    }
    const [mine, yours] = [run(watches), run(watches)];
    const left = mine.openScope({ namespaces: ["a"] });
    const seen = new ScopePicture(left);
    await clock.elapse(5_000);
    expect(stateOf(seen, "/pods/a")).toBe("live");
    seen.close();
    const page = new ScopePicture(yours.openScope({ namespaces: ["b"] }));
    await clock.elapse(40_000);
    expect([stateOf(page, "/pods/b"), stateOf(page, "apps/deployments/b"), stateOf(page, "/configmaps/b")]).toEqual([
      "live",
      "live",
      "sampled",
    ]);
    expect(page.sources.get("/configmaps/b")?.stale?.words).toEqual(words("source/watch-budget", { seconds: 30 }));
    const again = new ScopePicture(left, "row");
    await clock.elapse(1_000);
    expect(stateOf(again, "/pods/a")).toBe("sampled");
    expect(again.names()).toEqual(["pod-of-a", "settings"]);
    page.close();
    await clock.elapse(1_000);
    expect(stateOf(again, "/pods/a")).toBe("live");
    expect(cluster.mostWatches).toBe(2);
  });

  test("W1: a kind on a page that has no watch is listed every 30 s, and goes on from the last list once it has one", async () => {
    const watches = new WatchBudget(0);
    cluster.put("/pods", pod("app", "first"));
    const picture = new ScopePicture(run(watches).openScope({ namespaces: ["app"] }));
    await clock.elapse(1_000);
    cluster.put("/pods", pod("app", "second"));
    await clock.elapse(30_000);
    expect(picture.names()).toEqual(["first", "second"]);
    const lists = cluster.count("list /pods");
    watches.setLimit(8);
    cluster.put("/pods", pod("app", "third"));
    await clock.elapse(1_000);
    expect(picture.names()).toEqual(["first", "second", "third"]);
    expect([cluster.count("list /pods"), cluster.count("watch /pods"), stateOf(picture, "/pods/app")]).toEqual([lists, 1, "live"]);
  });

  test("W14: an agent that says it carries fewer watches has fewer, soon after", async () => {
    const watches = new WatchBudget();
    cluster.put("/pods", pod("app", "web"));
    const picture = new ScopePicture(run(watches).openScope({ namespaces: ["app"] }));
    await clock.elapse(5_000);
    expect(cluster.openWatches()).toBe(3);
    watches.setLimit(1);
    await clock.elapse(1_000);
    expect(cluster.openWatches()).toBe(1);
    expect(cluster.openWatches("/pods")).toBe(1);
    expect([stateOf(picture, "/pods/app"), stateOf(picture, "/configmaps/app")]).toEqual(["live", "sampled"]);
    expect(picture.connection?.state).toBe("connected");
  });

  test("a scope that is closed is read no longer, and its objects are let go of", async () => {
    cluster.put("/pods", pod("app", "web"));
    const view = run();
    const scope = view.openScope({ namespaces: ["app"] });
    await clock.elapse(5_000);
    scope.close();
    scope.close();
    await clock.elapse(0);
    expect([cluster.openWatches(), view.scopes]).toEqual([0, 0]);
    const before = cluster.places.length;
    await clock.elapse(300_000);
    expect(requestsSince(before)).toEqual([]);
  });
});
