import { systemClock, type Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { CredentialNames } from "../main-application/credential-names.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { GitlabMainApplication } from "./gitlab.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";

const NAMES = { projectPath: "group/app", environment: "production" };
const OF = { projectPath: "group/app", number: "7" };
const HOUR_MS = 60 * 60_000;
const signal = new AbortController().signal;

let standIn: StandInMainApplication;
let dialer: HttpDialer;
let access: ViewerAccess;
let nowMs: number;

beforeEach(async () => {
  standIn = new StandInMainApplication();
  dialer = new HttpDialer({ internalUrl: await standIn.listen(), externalUrl: "http://app.localhost:8080" });
  nowMs = 1_000_000;
  const clock: Clock = { ...systemClock, now: () => nowMs };
  standIn.sessions.set("s1", "maintainer");
  const gitlab = new GitlabMainApplication(dialer, { names: new CredentialNames(), clock });
  access = gitlab.open({ credential: { way: "cookie", sessionCookie: new Secret("s1") } });
});

afterEach(async () => {
  await dialer.close();
  await standIn.close();
});

describe("what the instance has", () => {
  test("is found out once an hour", async () => {
    await access.settings(NAMES, signal);
    nowMs += HOUR_MS - 1;
    await access.settings(NAMES, signal);
    expect(standIn.settings.introspected).toBe(1);
    standIn.settings.lacks.add("EnvironmentUpdateInput.kubernetesNamespace");
    nowMs += 1;
    expect((await access.settings(NAMES, signal)).capabilities.namespace).toBe(false);
    expect(standIn.settings.introspected).toBe(2);
  });

  test("is asked again after a failure", async () => {
    standIn.broken = 503;
    await expect(access.settings(NAMES, signal)).rejects.toMatchObject({ reason: "main_application_unavailable" });
    standIn.broken = undefined;
    expect((await access.settings(NAMES, signal)).capabilities.agent).toBe(true);
  });

  test("decides what is queried: an instance without lists of agents has none, and nothing fails", async () => {
    for (const each of ["Project.userAccessAuthorizedAgents", "Project.ciAccessAuthorizedAgents", "Environment.clusterAgent"])
      standIn.settings.lacks.add(each);
    expect(await access.settings(NAMES, signal)).toMatchObject({ agents: [], capabilities: { sharedAgents: false } });
  });
});

describe("a write", () => {
  test("has the session and its CSRF token, which is renewed when it is not good any more", async () => {
    await access.settings(NAMES, signal);
    standIn.expireTokens();
    expect(await access.changeEnvironment(OF, { namespace: "" }, signal)).toEqual({ kind: "done", url: "" });
    expect(standIn.settings.writes).toEqual([
      { mutation: "environmentUpdate", user: "maintainer", input: { id: "gid://gitlab/Environment/7", kubernetesNamespace: null } },
    ]);
  });

  test("without an answer may have been done, and is not sent again", async () => {
    standIn.settings.silent.add("environmentStop");
    expect(await access.stopEnvironment(OF, signal)).toEqual({ kind: "unknown" });
    expect(standIn.settings.writes).toHaveLength(1);
  });

  test("after the session has ended is not sent", async () => {
    standIn.sessions.clear();
    await expect(access.deleteEnvironment(OF, signal)).rejects.toMatchObject({ reason: "session_ended" });
    expect(standIn.settings.writes).toEqual([]);
  });

  test("that is rejected says why in one line", async () => {
    standIn.sessions.set("s1", "developer");
    expect(await access.createEnvironment("group/app", { name: "x" }, signal)).toEqual({
      kind: "rejected",
      why: expect.stringMatching(/^The resource that you are attempting to access/),
    });
  });
});

describe("a file", () => {
  const commit = {
    project: "group/app",
    path: ".gitlab/binnacle.yaml",
    text: "hidden: []\n",
    message: "Settings",
    branch: "main",
    lastCommitId: "",
  };

  test("is read with its last commit, and committed when it is still that one", async () => {
    standIn.teamFile = "a: 1\n";
    const of = { project: "group/app", path: ".gitlab/binnacle.yaml", mostBytes: 1_000 };
    expect(await access.editableFile(of, signal)).toEqual({ answer: { kind: "text", text: "a: 1\n" }, lastCommitId: "1", branch: "main" });
    expect((await access.editableFile({ ...of, mostBytes: 2 }, signal)).answer).toEqual({ kind: "too-large" });
    expect(await access.commitFile({ ...commit, isNew: false, lastCommitId: "1" }, signal)).toMatchObject({ kind: "done" });
    expect(await access.commitFile({ ...commit, isNew: false, lastCommitId: "1" }, signal)).toEqual({ kind: "conflict" });
    expect(await access.commitFile({ ...commit, isNew: true }, signal)).toEqual({ kind: "conflict" });
  });

  test("goes to a branch of its own where the viewer may not push", async () => {
    standIn.sessions.set("s1", "developer");
    const sent = await access.commitFile({ ...commit, isNew: true }, signal);
    expect(sent).toMatchObject({ kind: "proposed", branch: expect.stringMatching(/^binnacle-settings-[0-9a-f]{8}$/) });
    expect(standIn.settings.writes.map(({ input }) => [input["branch"], input["startBranch"]])).toEqual([
      ["main", undefined],
      ["branch" in sent ? sent.branch : "", "main"],
    ]);
  });
});
