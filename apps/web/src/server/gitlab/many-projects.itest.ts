import { systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { afterEach, beforeEach, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { CredentialNames } from "../main-application/credential-names.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { ManyEnvironmentsRequest, ProjectEnvironments } from "../main-application/many-projects.ts";
import { GitlabMainApplication } from "./gitlab.ts";
import { StandInMainApplication, type StandInEnvironment } from "./testing/stand-in-main-application.ts";

const signal = new AbortController().signal;
const SHA = "a".repeat(40);
let standIn: StandInMainApplication;
let dialer: HttpDialer;
let access: ViewerAccess;

beforeEach(async () => {
  standIn = new StandInMainApplication();
  dialer = new HttpDialer({ internalUrl: await standIn.listen(), externalUrl: "http://app.localhost:8080" });
  standIn.tokens.set("t1", "ann");
  const gitlab = new GitlabMainApplication(dialer, { names: new CredentialNames(), clock: systemClock });
  access = gitlab.open({ credential: { way: "token", token: new Secret("t1") } });
});

afterEach(async () => {
  await dialer.close();
  await standIn.close();
});

let nextId = 1;
function put(fullPath: string, count: number): void {
  const environments = Array.from({ length: count }, (_, index): StandInEnvironment => ({
    id: nextId++,
    name: `env-${index}`,
    namespace: `ns-${index}`,
    agentId: 3,
  }));
  standIn.groups.projects.set(fullPath, environments);
}

async function read(request: Partial<ManyEnvironmentsRequest> = {}): Promise<ReadonlyMap<string, ProjectEnvironments["result"]>> {
  const { projects } = await access.projects(signal);
  const found = new Map<string, ProjectEnvironments["result"]>();
  const all = { projects, filePath: ".gitlab/binnacle.yaml", maxFileBytes: 1_000, deployments: false, ...request };
  await access.environmentsOf(
    all,
    (each) => {
      for (const { projectPath, result } of each) {
        expect(found.has(projectPath)).toBe(false);
        found.set(projectPath, result);
      }
    },
    signal,
  );
  return found;
}

function countOf(result: ProjectEnvironments["result"] | undefined): number | undefined {
  return result?.kind === "read" ? result.environments.length : undefined;
}

test("environments of 205 projects are read once each, twenty projects per request and at most four requests at a time", async () => {
  for (let index = 0; index < 205; index += 1) put(`group/p${index}`, index % 6);
  const found = await read();
  expect(new Map([...found].map(([path, result]) => [path, countOf(result)]))).toEqual(
    new Map(Array.from({ length: 205 }, (_, index) => [`group/p${index}`, index % 6])),
  );
  expect(standIn.groups.running.most).toBeLessThanOrEqual(4);
  expect(standIn.requests.length).toBeLessThanOrEqual(3 + 11 + Math.ceil(205 / 6));
});

test("a project with 300 environments is read to its end, beside small ones", async () => {
  put("group/large", 300);
  put("group/small", 2);
  const found = await read();
  expect([countOf(found.get("group/large")), countOf(found.get("group/small"))]).toEqual([300, 2]);
});

test("a project that fails or has gone takes nothing from the others", async () => {
  for (const name of ["good", "broken", "gone"]) put(`group/${name}`, 2);
  standIn.groups.broken.add("group/broken");
  const { projects } = await access.projects(signal);
  standIn.groups.withheld.add("ann group/gone");
  const found = await read({ projects });
  expect(Object.fromEntries([...found].map(([path, { kind }]) => [path, kind]))).toEqual({
    "group/broken": "failed",
    "group/gone": "not_found",
    "group/good": "read",
  });
});

test("deployments are read only when they are wanted, and an instance without them is read all the same", async () => {
  put("group/a", 1);
  standIn.deployment = { sha: SHA, status: "SUCCESS" };
  const deploymentIn = async (deployments: boolean): Promise<unknown> => {
    const result = (await read({ deployments })).get("group/a");
    return result?.kind === "read" ? result.environments[0]?.deployment : undefined;
  };
  expect(await deploymentIn(false)).toBeUndefined();
  expect(await deploymentIn(true)).toMatchObject({ kind: "deployed", sha: SHA });
  standIn.deployments = "unknown";
  expect(await deploymentIn(true)).toEqual({ kind: "not-supported" });
});

test("a main application that fails makes projects failed, and a session that has ended ends the reading", async () => {
  put("group/a", 1);
  const { projects } = await access.projects(signal);
  standIn.broken = 502;
  expect([...(await readWith(projects)).values()]).toEqual([{ kind: "failed" }]);
  standIn.broken = undefined;
  standIn.tokens.clear();
  await expect(readWith(projects)).rejects.toMatchObject({ reason: "session_ended" });
});

async function readWith(projects: ManyEnvironmentsRequest["projects"]): Promise<ReadonlyMap<string, ProjectEnvironments["result"]>> {
  const found = new Map<string, ProjectEnvironments["result"]>();
  const request = { projects, filePath: "x", maxFileBytes: 1_000, deployments: false };
  await access.environmentsOf(request, (each) => each.forEach(({ projectPath, result }) => found.set(projectPath, result)), signal);
  return found;
}

test("groups are listed, and one has the projects of its subgroups", async () => {
  for (const path of ["top/a", "top/sub/b", "other/c"]) put(path, 1);
  const answer = await access.groups(signal);
  expect(answer.kind === "listed" && answer.groups.map(({ fullPath }) => fullPath)).toEqual(["other", "top", "top/sub"]);
  const { projects, more } = await access.projectsOfGroup("top", signal);
  expect([projects.map(({ fullPath }) => fullPath), more]).toEqual([["top/a", "top/sub/b"], false]);
  await expect(access.projectsOfGroup("nothing", signal)).rejects.toMatchObject({ reason: "not_found" });
});

test("an instance whose GraphQL lists no groups says so by a capability", async () => {
  put("top/a", 1);
  standIn.groups.knowsNoGroups = true;
  expect(await access.groups(signal)).toEqual({ kind: "not-supported" });
});

test("T77: the distance of two commits is counted both ways, and only for who may read the repository", async () => {
  const [base, head] = ["a".repeat(40), "b".repeat(40)];
  standIn.groups.ranges.set(`top/a ${base}..${head}`, 3);
  standIn.groups.ranges.set(`top/a ${head}..${base}`, 0);
  const of = { project: "top/a", base, head };
  expect(await access.compare(of, signal)).toEqual({ kind: "not-readable" });
  standIn.commitReaders.add("ann");
  expect(await access.compare(of, signal)).toEqual({ kind: "compared", ahead: 3, behind: 0, atLeast: false });
  expect(await access.compare({ ...of, head: "main" }, signal)).toEqual({ kind: "not-readable" });
});
