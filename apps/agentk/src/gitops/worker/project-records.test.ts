import { expect, test } from "vitest";

import { DEFAULT_OPTIONS } from "../testing/sync-made.ts";
import type { ProjectOptions } from "./project-options.ts";
import { InventoryLocations, TooLargeCommits } from "./project-records.ts";

const project = (over: Partial<ProjectOptions> = {}): ProjectOptions => ({ ...DEFAULT_OPTIONS, id: "group/app", globs: ["**"], ...over });
const COMMIT = { commitId: "c1", reason: "too many" };

test("what one process writes the next one knows, while limit and globs are the same", () => {
  const before = new TooLargeCommits();
  before.add(project(), COMMIT);
  const after = new TooLargeCommits();
  after.load(before.toAnnotations());
  expect(after.find(project())).toMatchObject(COMMIT);
  expect(after.find(project({ prune: false }))).toMatchObject(COMMIT);
  expect(after.find(project({ maxObjects: 6_000 }))).toBeUndefined();
  expect(after.find(project({ globs: ["a/*"] }))).toBeUndefined();
  expect(after.find(project({ id: "other" }))).toBeUndefined();
});

test("a project that was applied, or is configured no more, is forgotten", () => {
  const commits = new TooLargeCommits();
  commits.add(project(), COMMIT);
  commits.add(project({ id: "b" }), COMMIT);
  commits.keepOnly([project()]);
  expect(commits.find(project({ id: "b" }))).toBeUndefined();
  commits.delete(project());
  expect(commits.find(project())).toBeUndefined();
});

test.each(["", "null", "[1]", '{"group/app": 7}', '{"group/app": {"reason": "x"}}', "{"])("%s in the annotation is no commit", (value) => {
  const commits = new TooLargeCommits();
  commits.load({ "gitops.binnacle/too-large": value });
  expect(commits.toAnnotations()).toEqual({ "gitops.binnacle/too-large": "{}" });
});

test("where an inventory is holds for the namespace and globs that it was found with", () => {
  const before = new InventoryLocations();
  const ref = { namespace: "home", name: "own-inventory", id: "own" };
  before.add(project(), ref);
  const after = new InventoryLocations();
  after.load(before.toAnnotations());
  expect(after.find(project())).toMatchObject(ref);
  expect(after.find(project({ maxObjects: 6_000 }))).toMatchObject(ref);
  expect(after.find(project({ defaultNamespace: "other" }))).toBeUndefined();
  expect(after.find(project({ globs: ["a/*"] }))).toBeUndefined();
});

test("an entry has the fields of its record, and no others", () => {
  const locations = new InventoryLocations();
  const whole = { namespace: "home", name: "own-inventory", id: "own", formerId: "", word: "read" };
  locations.add(project(), whole);
  expect(locations.toAnnotations()["gitops.binnacle/inventories"]).not.toContain("word");
});
