import { HealthStatus, type EnvironmentHealth, type EnvironmentRow, type Header } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { HurriedClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { webConfigSchema } from "../../config/config.ts";
import { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const MAINTAINER = "_gitlab_session=session-maintainer";
const OTHER = "group/other";

let world: DashboardWorld;
let clock: HurriedClock;
beforeEach(async () => {
  clock = new HurriedClock();
  world = await DashboardWorld.open(["maintainer", "developer"]);
  const spec = { replicas: 0, template: { spec: { containers: [{ name: "c", image: "i", args: ["queue"] }] } } };
  world.kas.put("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata: inNamespace("web"), spec });
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: inNamespace("queue"), status: { phase: "Failed" } });
});
afterEach(() => world.close());

function inNamespace(name: string, namespace = "prod"): { name: string } {
  const metadata = { name, namespace };
  return metadata;
}

/** A script for Deployments. */
function script(body: string, kind = "apps/Deployment"): string {
  return `health:\n  resourceCustomizations:\n    ${kind}:\n      health.lua: ${JSON.stringify(body)}\n`;
}

function says(status: string): string {
  return script(`return { status = "${status}", message = "so it is" }`);
}

const EDGES = `edges:
  - { id: feeds, from: { group: apps, kind: Deployment }, class: target, path: "$.spec.template.spec.containers[*].args[0]", to: { group: "", kind: Pod } }
`;

function open(projectPath = "group/app", cookie = MAINTAINER): DashboardTab {
  return new DashboardTab(world.clientWith(cookie), world.signal, { projectPath });
}

function healthOf(tab: DashboardTab, name = "web"): [HealthStatus | undefined, string | undefined] {
  const health = tab.named(name)?.health;
  return [health?.status, health?.rule];
}

function rollUpOf(tab: DashboardTab): EnvironmentHealth | undefined {
  const found = tab.messages.findLast(
    ({ message }) => (message.case === "snapshot" || message.case === "delta") && message.value.health !== undefined,
  )?.message;
  return found?.case === "snapshot" || found?.case === "delta" ? found.value.health : undefined;
}

function headerOf(tab: DashboardTab): Header | undefined {
  const found = tab.messages.findLast(({ message }) => message.case === "header")?.message;
  return found?.case === "header" ? found.value : undefined;
}

function edgesOf(tab: DashboardTab): string[] {
  return [...tab.edges.values()].map(({ kind }) => kind);
}

function names(tab: DashboardTab): string[] {
  return [...tab.nodes.values()].map(({ ref }) => ref?.name ?? "").toSorted();
}

const TEAM = ".gitlab/binnacle.yaml, health of apps/Deployment";

test("T17, T27: two projects with contrary rules over one namespace see each their own, of objects that are watched once", async () => {
  world.start(clock);
  world.main.teamFile = `${says("Suspended")}${EDGES}`;
  world.main.otherProjects.set(OTHER, `${says("Degraded")}hidden: [Pod]\nweights: { apps/Deployment: ignore }\n`);
  const mine = open();
  await mine.until(() => healthOf(mine)[1] === TEAM && edgesOf(mine).includes("custom:feeds") && mine.isComplete());
  const watches = world.kas.watchesOf("maintainer");
  const theirs = open(OTHER);
  await theirs.until(() => healthOf(theirs)[1] === TEAM && theirs.isComplete());
  expect([healthOf(mine)[0], healthOf(theirs)[0]]).toEqual([HealthStatus.SUSPENDED, HealthStatus.DEGRADED]);
  expect([names(mine), names(theirs)]).toEqual([["queue", "web"], ["web"]]);
  expect([edgesOf(mine), edgesOf(theirs)]).toEqual([["custom:feeds"], []]);
  await mine.until(() => rollUpOf(mine)?.status === HealthStatus.DEGRADED);
  expect(rollUpOf(theirs)?.status).not.toBe(HealthStatus.DEGRADED);
  expect(rollUpOf(theirs)?.issues).toEqual([]);
  expect(world.kas.watchesOf("maintainer")).toEqual(watches);

  // What one of them changes is nothing to the other; withdrawn, it is the cluster's own picture.
  const snapshots = mine.messages.filter(({ message }) => message.case === "snapshot").length;
  world.main.otherProjects.set(OTHER, "{}\n");
  clock.skip(31_000);
  await theirs.until(() => names(theirs).length === 2 && healthOf(theirs)[1] === "");
  expect(healthOf(mine)).toEqual([HealthStatus.SUSPENDED, TEAM]);
  expect(mine.messages.filter(({ message }) => message.case === "snapshot")).toHaveLength(snapshots);
  expect(world.kas.watchesOf("maintainer")).toEqual(watches);
});

test("the same rules in two projects, written in another order, are one scope", async () => {
  world.start(clock);
  const [a, b] = ["hidden: [ConfigMap, Secret]\n", "weights: { batch/Job: ignore, Pod: ignore }\n"];
  world.main.teamFile = `${a}${b}`;
  world.main.otherProjects.set(OTHER, "# ours\nweights: { Pod: ignore, batch/Job: ignore }\nhidden: [Secret, ConfigMap]\n");
  const [mine, theirs] = [open(), open(OTHER)];
  await Promise.all([mine, theirs].map((tab) => tab.until(() => tab.isComplete() && tab.position !== undefined)));
  expect(theirs.position?.view).toBe(mine.position?.view);
  expect(headerOf(theirs)?.environment?.scopeId).toBe(headerOf(mine)?.environment?.scopeId);
});

test("the team's health rule wins over the cluster's; a kind without one is judged by the cluster's", async () => {
  const customization = (kind: string): Record<string, string> => ({
    [`resource.customizations.health.${kind}`]: 'return { status = "Degraded", message = "of the cluster" }',
  });
  world.kas.put("configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: inNamespace("argocd-cm", "argocd"),
    data: { ...customization("apps_Deployment"), ...customization("Pod") },
  });
  world.main.teamFile = says("Suspended");
  world.start(clock, { health_rules: webConfigSchema.shape.health_rules.parse({}) });
  const tab = open();
  await tab.until(() => healthOf(tab)[1] === TEAM && (healthOf(tab, "queue")[1] ?? "").includes("argocd-cm"));
  expect(healthOf(tab)[0]).toBe(HealthStatus.SUSPENDED);
});

test("T27: a team's rule that throws, and one that never ends, is Unknown with the reason; other teams' rules go on", async () => {
  world.start(clock);
  world.main.teamFile = `${script("while true do end")}    Pod:\n      health.lua: error("no")\n`;
  world.main.otherProjects.set(OTHER, says("Suspended"));
  const [mine, theirs] = [open(), open(OTHER)];
  await theirs.until(() => healthOf(theirs)[0] === HealthStatus.SUSPENDED);
  await mine.until(() => [healthOf(mine), healthOf(mine, "queue")].every(([status]) => status === HealthStatus.UNKNOWN));
  const reasons = ["web", "queue"].map((name) => mine.named(name)?.health?.reason);
  expect(reasons).toEqual([expect.stringMatching(/^Lua/), expect.stringMatching(/^Lua/)]);
});

test("T23: rules of a file that the viewer may not read are not in force for him", async () => {
  world.start(clock);
  world.main.teamFile = `${says("Suspended")}hidden: [Pod]\n`;
  world.main.withoutCode.add("developer");
  const [maintainer, developer] = [open(), open("group/app", "_gitlab_session=session-developer")];
  await maintainer.until(() => maintainer.isComplete() && healthOf(maintainer)[1] === TEAM);
  await developer.until(() => developer.isComplete() && developer.nodes.size === 2);
  expect([names(maintainer), names(developer), healthOf(developer)[1]]).toEqual([["web"], ["queue", "web"], ""]);
});

test("a resource of a hidden kind is read in full by its link", async () => {
  world.start(clock);
  world.main.teamFile = "hidden: [Pod]\n";
  const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "queue" };
  const answer = await world.clientWith(MAINTAINER).getResource({ projectPath: "group/app", environment: "production", ref });
  expect(answer.yaml).toContain("name: queue");
});

test("the page says what is hidden and what does not count, and gives the team's links: whatever a link says, it leads to this page", async () => {
  world.start(clock);
  const hostile = "q=//evil.example/&view=list&kind=Job&sel=<b>";
  world.main.teamFile = `hidden: [Pod, apps/ReplicaSet]\nweights: { batch/Job: ignore }\nviews:\n  Jobs: { query: "?view=list&kind=Job" }\n  Evil: { query: ${JSON.stringify(hostile)} }\n  Far: { query: "https://evil.example/?view=summary" }\n  Script: { query: "javascript:alert(1)" }\n  Odd: { query: "evil=1&view=list" }\n`;
  const tab = open();
  await tab.until(() => headerOf(tab) !== undefined && tab.isComplete());
  const { notices = [], views = [] } = headerOf(tab) ?? {};
  expect(notices.map((notice) => renderEnglish(fromWordsMessage(notice)))).toEqual([
    ".gitlab/binnacle.yaml, line 6, views.Far.query: is an address; write only what follows the ? in it",
    ".gitlab/binnacle.yaml, line 7, views.Script.query: is an address; write only what follows the ? in it",
    expect.stringMatching(
      /^\.gitlab\/binnacle\.yaml, line 8, views\.Odd\.query: has evil, which the page does not know; known are view, sel, /,
    ),
    "2 kinds are hidden by .gitlab/binnacle.yaml: Pod, apps/ReplicaSet",
    "1 kind does not count for the health of the environment, by .gitlab/binnacle.yaml: batch/Job",
  ]);
  expect(views.map(({ name, query }) => [name, query])).toEqual([
    ["Jobs", "view=list&kind=Job"],
    ["Evil", "view=list&sel=%3Cb%3E&q=//evil.example/&kind=Job"],
  ]);
});

test("the row of the index is judged by the same rules as the page, also when that is not open", async () => {
  world.start(clock);
  world.main.teamFile = `${says("Suspended")}hidden: [Pod]\n`;
  const rows: EnvironmentRow[] = [];
  const stop = new AbortController();
  try {
    for await (const { rows: changed } of world
      .clientWith(MAINTAINER)
      .watchEnvironments({ projectPath: "group/app" }, { signal: stop.signal })) {
      rows.push(...changed.filter(({ health }) => health !== undefined));
      if (rows.length > 0) break;
    }
  } finally {
    stop.abort();
  }
  const tab = open();
  await tab.until(() => tab.isComplete() && healthOf(tab)[1] === TEAM && rollUpOf(tab)?.status === rows[0]?.health?.status);
  expect(rows[0]?.health?.counts).toEqual(rollUpOf(tab)?.counts);
  expect(rows[0]?.health?.counts.map(({ status, count }) => [status, count])).toEqual([[HealthStatus.SUSPENDED, 1]]);
});
