import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { DeploymentJournal } from "./deployment-journal.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

let clock: ManualClock;
let journal: DeploymentJournal;
beforeEach(() => {
  clock = new ManualClock();
  journal = new DeploymentJournal(clock);
});

const of = (key = "mara", name = "production") => ({ viewerAccess: { key }, environment: { projectPath: "group/app", name } });
const NOTHING = { ref: "", title: "", commitUrl: "", author: "", byUsername: "", byName: "", job: "", jobUrl: "" };

function deployed(sha: string, over: { readonly atMs?: number | undefined; readonly title?: string } = {}): DeploymentRecord {
  return { kind: "deployed", source: "gitops", sha: sha.repeat(8), atMs: 1_000, ...NOTHING, ...over };
}

const shas = (...whose: Parameters<typeof of>) =>
  journal
    .of(of(...whose))
    .map(({ sha }) => sha[0])
    .join("");

test("deployments are remembered in the order they were seen, each once, as it is known best", () => {
  const page = journal.follow(of());
  page.note(deployed("a", { atMs: undefined }));
  page.note(deployed("a", { title: "First" }));
  page.note(deployed("b", { atMs: 2_000 }));
  page.note(undefined);
  page.note(deployed("a", { atMs: 3_000, title: "First again" }));
  expect(journal.of(of()).map(({ title, atMs }) => [title, atMs])).toEqual([
    ["First again", 3_000],
    ["", 2_000],
    ["First", 1_000],
  ]);
});

test("what one viewer was told is not another's, nor another environment's", () => {
  journal.follow(of("mara")).note(deployed("a", { title: "Secret plan" }));
  expect([shas("otto"), shas("mara", "staging"), shas("mara")]).toEqual(["", "", "a"]);
});

test("who may read no deployment any more has none of before", () => {
  const page = journal.follow(of());
  page.note(deployed("a"));
  page.note({ kind: "not-told" });
  expect(shas()).toBe("a");
  page.note({ kind: "not-readable" });
  expect(shas()).toBe("");
});

test("who may not read a commit any more is told none of before either", () => {
  const page = journal.follow(of());
  page.note(deployed("a", { title: "First" }));
  page.note(deployed("b", { title: "Second" }));
  page.note(deployed("b"));
  expect(journal.of(of()).map(({ sha, title }) => [sha[0], title])).toEqual([["b", ""]]);
});

test("twenty are remembered", () => {
  const page = journal.follow(of());
  for (let at = 0; at < 50; at += 1) page.note(deployed("a", { atMs: at }));
  expect(journal.of(of()).map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, (_, index) => 49 - index));
});

test("a journal goes on after a reload, and ends two minutes after the last page has left", () => {
  const [first, second] = [journal.follow(of()), journal.follow(of())];
  first.note(deployed("a"));
  first.leave();
  clock.advance(3_600_000);
  expect(shas()).toBe("a");
  second.leave();
  clock.advance(119_000);
  const third = journal.follow(of());
  third.note(deployed("b", { atMs: 2_000 }));
  expect(shas()).toBe("ba");
  third.leave();
  clock.advance(120_000);
  expect(shas()).toBe("");
  journal.follow(of());
  expect(shas()).toBe("");
});
