import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { ShownSync } from "./agent-syncs.ts";
import { deliveryOf, type Delivery } from "./delivery.ts";
import { DeliveryJournal } from "./delivery-journal.ts";
import type { DeploymentRecord } from "../main-application/records.ts";

let clock: ManualClock;
let journal: DeliveryJournal;
beforeEach(() => {
  clock = new ManualClock();
  journal = new DeliveryJournal(clock);
});

const of = (key = "mara", name = "production") => ({ viewerAccess: { key }, environment: { projectPath: "group/app", name } });
const NOTHING = { isTag: false, ref: "", title: "", commitUrl: "", author: "", byUsername: "", byName: "", job: "", jobUrl: "" };

function deployed(sha: string, over: { readonly atMs?: number | undefined; readonly title?: string } = {}): Delivery {
  return delivery({ kind: "deployed", source: "gitops", sha: sha.repeat(8), atMs: 1_000, ...NOTHING, ...over });
}

function delivery(deployment: DeploymentRecord | undefined): Delivery {
  return deliveryOf({ deployment, syncs: { state: "none" } });
}

/** The delivery after a sync; times in seconds. */
function synced(sync: Partial<ShownSync>): Delivery {
  const value = {
    project: "group/manifests",
    sha: "a".repeat(8),
    appliedSha: "",
    startedAtMs: 1_000,
    state: GitopsSyncState.SYNCED,
    ...sync,
  };
  return deliveryOf({ deployment: { kind: "none" }, syncs: { state: "known", value: [value as ShownSync] } });
}

const shas = (...whose: Parameters<typeof of>) =>
  journal
    .of(of(...whose))
    .deployments.map(({ sha }) => sha[0])
    .join("");

test("deployments are remembered in the order they were seen, each once, as it is known best", () => {
  const page = journal.follow(of());
  page.record(deployed("a", { atMs: undefined }));
  page.record(deployed("a", { title: "First" }));
  page.record(deployed("b", { atMs: 2_000 }));
  page.record(delivery(undefined));
  page.record(deployed("a", { atMs: 3_000, title: "First again" }));
  expect(journal.of(of()).deployments.map(({ title, atMs }) => [title, atMs])).toEqual([
    ["First again", 3_000],
    ["", 2_000],
    ["First", 1_000],
  ]);
});

test("entries of one viewer are not another's, nor another environment's", () => {
  journal.follow(of("mara")).record(deployed("a", { title: "Secret plan" }));
  expect([shas("otto"), shas("mara", "staging"), shas("mara")]).toEqual(["", "", "a"]);
});

test("who may read no deployment any more has none of before", () => {
  const page = journal.follow(of());
  page.record(deployed("a"));
  page.record(delivery({ kind: "not-supported" }));
  expect(shas()).toBe("a");
  page.record(delivery({ kind: "not-readable" }));
  expect(shas()).toBe("");
});

test("a viewer who may no longer read commits gets no earlier ones either", () => {
  const page = journal.follow(of());
  page.record(deployed("a", { title: "First" }));
  page.record(deployed("b", { title: "Second" }));
  page.record(deployed("b"));
  expect(journal.of(of()).deployments.map(({ sha, title }) => [sha[0], title])).toEqual([["b", ""]]);
});

test("twenty are remembered", () => {
  const page = journal.follow(of());
  for (let at = 0; at < 50; at += 1) page.record(deployed("a", { atMs: at }));
  expect(journal.of(of()).deployments.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, (_, index) => 49 - index));
});

test("a journal goes on after a reload, and ends two minutes after the last page has left", () => {
  const [first, second] = [journal.follow(of()), journal.follow(of())];
  first.record(deployed("a"));
  first.close();
  clock.advance(3_600_000);
  expect(shas()).toBe("a");
  second.close();
  clock.advance(119_000);
  const third = journal.follow(of());
  third.record(deployed("b", { atMs: 2_000 }));
  expect(shas()).toBe("ba");
  third.close();
  clock.advance(120_000);
  expect(shas()).toBe("");
  journal.follow(of());
  expect(shas()).toBe("");
});

test("S6: a run of a sync is one entry, which gets its end later, newest first", () => {
  const page = journal.follow(of());
  page.record(synced({ state: GitopsSyncState.APPLYING }));
  page.record(synced({ finishedAtMs: 2_000 }));
  page.record(synced({ startedAtMs: 5_000, finishedAtMs: 6_000, state: GitopsSyncState.FAILED }));
  page.record(synced({ startedAtMs: 5_000, finishedAtMs: 6_000, state: GitopsSyncState.FAILED }));
  expect(journal.of(of()).runs.map(({ startedAtMs, finishedAtMs, state }) => [startedAtMs, finishedAtMs, state])).toEqual([
    [5_000, 6_000, GitopsSyncState.FAILED],
    [1_000, 2_000, GitopsSyncState.SYNCED],
  ]);
});

test("S6: what a restarted agent does not know, or kas has not heard of again, is no run", () => {
  const page = journal.follow(of());
  page.record(synced({ isOutcomeUnknown: true }));
  page.record(synced({ retainedAsOfMs: 1 }));
  expect(journal.of(of()).runs).toEqual([]);
});

test("S6: who may not read a commit any more, or not use the agent, has its runs no more", () => {
  const page = journal.follow(of());
  const commit = { sha: "a".repeat(40), title: "Secret plan", author: "Ann", url: "" };
  page.record(synced({ commit }));
  expect(journal.of(of()).runs[0]).toMatchObject({ title: "Secret plan", author: "Ann" });
  page.record(synced({}));
  expect(JSON.stringify(journal.of(of()).runs)).not.toMatch(/Secret|Ann/);
  page.record(deliveryOf({ deployment: { kind: "none" }, syncs: { state: "forbidden" } }));
  expect(journal.of(of()).runs).toEqual([]);
});

test("B2: a page without a view of the environment has what its syncs tell, and what was recorded shortly before", () => {
  const { runs } = journal.record(of(), synced({ sha: "c".repeat(8), startedAtMs: 1_000, finishedAtMs: 2_000 }));
  expect(runs.map(({ sha }) => sha)).toEqual(["c".repeat(8)]);
  clock.advance(60_000);
  journal.record(of(), synced({ sha: "d".repeat(8), startedAtMs: 61_000 }));
  clock.advance(60_000);
  expect(journal.of(of()).runs.map(({ sha }) => sha)).toEqual(["d".repeat(8), "c".repeat(8)]);
  clock.advance(60_000);
  expect(journal.of(of()).runs).toEqual([]);
});
