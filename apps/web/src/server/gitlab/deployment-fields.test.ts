import { describe, expect, test } from "vitest";

import { deploymentOf } from "./deployment-fields.ts";

const MAIN = "https://main.example.com/";
const SHA = "a1b2c3d4".repeat(5);
const FOUND = {
  iid: "7",
  ref: "main",
  sha: SHA,
  status: "SUCCESS",
  createdAt: "2026-01-01T10:00:00Z",
  finishedAt: "2026-01-01T10:02:00Z",
  commit: { title: "Use another image", webUrl: `${MAIN}group/app/-/commit/${SHA}`, authorName: "Ann" },
  triggerer: { username: "bob", name: "Bob" },
  job: { name: "deploy:staging", webPath: "/group/app/-/jobs/5" },
};

function of(changes: Record<string, unknown>): unknown {
  return deploymentOf({ ...FOUND, ...changes }, MAIN);
}

test("a deployment has commit, author, job, who and when it ended", () => {
  expect(of({})).toEqual({
    kind: "deployed",
    source: "ci",
    sha: SHA,
    ref: "main",
    isTag: false,
    title: "Use another image",
    commitUrl: `${MAIN}group/app/-/commit/${SHA}`,
    author: "Ann",
    byUsername: "bob",
    byName: "Bob",
    job: "deploy:staging",
    jobUrl: `${MAIN}group/app/-/jobs/5`,
    atMs: Date.parse("2026-01-01T10:02:00Z"),
  });
});

test("missing fields are empty: no commit for a viewer who may not read the code, no job, no user, no end", () => {
  const none = { title: "", commitUrl: "", author: "", job: "", jobUrl: "", byUsername: "", byName: "" };
  expect(of({ commit: null, job: null, triggerer: null, finishedAt: null })).toMatchObject({
    ...none,
    sha: SHA,
    atMs: Date.parse("2026-01-01T10:00:00Z"),
  });
  expect(of({ finishedAt: "yesterday" })).toMatchObject({ atMs: undefined });
});

test("null is no deployment, which is not the same as one that cannot be read", () => {
  expect(deploymentOf(null, MAIN)).toEqual({ kind: "none" });
});

test.each([
  ["no commit id", { sha: null }],
  ["a commit id that is none", { sha: "main; rm" }],
  ["another status", { status: "FAILED" }],
  ["a commit that is a text", { commit: "abc" }],
  ["a ref of another type", { ref: { name: "main" } }],
])("T27: a deployment with %s is not readable, whatever else it says", (_, changes) => {
  expect(of(changes)).toEqual({ kind: "not-readable" });
});

describe("T27: only addresses of the main application become links", () => {
  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "https://evil.example.com/group/app",
    "https://main.example.com.evil.example/",
    "https://main.example.com:8443/x",
    "http://main.example.com/x",
    "https://user:word@main.example.com/x",
    "//evil.example.com/x",
    "/\\evil.example.com/x",
    "https://[",
    `/${"a".repeat(3_000)}`,
    "",
  ])("%s", (url) => {
    expect(of({ commit: { webUrl: url, title: "t" }, job: { name: "j", webPath: url } })).toMatchObject({ commitUrl: "", jobUrl: "" });
  });

  test("a main application below a path has links below it", () => {
    const found = { ...FOUND, job: { name: "j", webPath: "/gitlab/group/app/-/jobs/5" } };
    expect(deploymentOf(found, "https://main.example.com/gitlab")).toMatchObject({
      jobUrl: "https://main.example.com/gitlab/group/app/-/jobs/5",
    });
  });
});

test("T27: texts of a deployment are short, of one line, turn nothing round and hold no credential", () => {
  const title = `Fix \u202Egnp.exe\n\u0000 now ${"x".repeat(100_000)}`;
  const found = of({ commit: { title, authorName: "Ann\u2066\tB" }, ref: "glpat-hunter22hunter22hunter22" });
  expect(found).toMatchObject({ title: expect.stringMatching(/^Fix gnp\.exe now x+…$/u), author: "Ann B" });
  expect(JSON.stringify(found)).not.toContain("hunter22");
  expect(JSON.stringify(found).length).toBeLessThan(1_500);
});
