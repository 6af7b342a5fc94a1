import { expect, test } from "vitest";

import { DeploymentJournal } from "./deployment-journal.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

const of = (key = "mara", name = "production") => ({ viewerAccess: { key }, environment: { projectPath: "group/app", name } });
const NOTHING = { ref: "", title: "", commitUrl: "", author: "", byUsername: "", byName: "", job: "", jobUrl: "" };

function deployed(sha: string, over: { readonly atMs?: number | undefined; readonly title?: string } = {}): DeploymentRecord {
  return { kind: "deployed", source: "gitops", sha: sha.repeat(8), atMs: 1_000, ...NOTHING, ...over };
}

const shas = (journal: DeploymentJournal, ...whose: Parameters<typeof of>) =>
  journal
    .of(of(...whose))
    .map(({ sha }) => sha[0])
    .join("");

test("deployments are remembered in the order they were seen, each once, as it is known best", () => {
  const journal = new DeploymentJournal();
  journal.note(of(), deployed("a", { atMs: undefined }));
  journal.note(of(), deployed("a", { title: "First" }));
  journal.note(of(), deployed("b", { atMs: 2_000 }));
  journal.note(of(), undefined);
  journal.note(of(), deployed("a", { atMs: 3_000, title: "First again" }));
  expect(journal.of(of()).map(({ title, atMs }) => [title, atMs])).toEqual([
    ["First again", 3_000],
    ["", 2_000],
    ["First", 1_000],
  ]);
});

test("what one viewer was told is not another's, nor another environment's", () => {
  const journal = new DeploymentJournal();
  journal.note(of("mara"), deployed("a", { title: "Secret plan" }));
  expect([shas(journal, "otto"), shas(journal, "mara", "staging"), shas(journal, "mara")]).toEqual(["", "", "a"]);
});

test("who may read no deployment any more has none of before", () => {
  const journal = new DeploymentJournal();
  journal.note(of(), deployed("a"));
  journal.note(of(), { kind: "not-told" });
  expect(shas(journal)).toBe("a");
  journal.note(of(), { kind: "not-readable" });
  expect(shas(journal)).toBe("");
});

test("who may not read a commit any more is told none of before either", () => {
  const journal = new DeploymentJournal();
  journal.note(of(), deployed("a", { title: "First" }));
  journal.note(of(), deployed("b", { title: "Second" }));
  journal.note(of(), deployed("b"));
  expect(journal.of(of()).map(({ sha, title }) => [sha[0], title])).toEqual([["b", ""]]);
});

test("twenty are remembered", () => {
  const journal = new DeploymentJournal();
  for (let at = 0; at < 50; at += 1) journal.note(of(), deployed("a", { atMs: at }));
  expect(journal.of(of()).map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, (_, index) => 49 - index));
});
