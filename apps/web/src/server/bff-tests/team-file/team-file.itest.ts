import { SettledState, type Environment, type EnvironmentRow, type WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { HurriedClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const MAINTAINER = "_gitlab_session=session-maintainer";
const DEVELOPER = "_gitlab_session=session-developer";
const OWN = { text: "", covers: "" };

let world: DashboardWorld;
let clock: HurriedClock;
beforeEach(async () => {
  clock = new HurriedClock();
  world = await DashboardWorld.open(["maintainer", "developer"]);
  world.start(clock);
  put("pods", "web", { namespace: "prod", labels: { app: "web" } });
  put("pods", "api", { namespace: "prod", labels: { app: "api" } });
  put("pods", "tool", { namespace: "prod", labels: { app: "tool" }, annotations: { "config.k8s.io/owning-inventory": "inv-1" } });
  put("pods", "job", { namespace: "jobs", labels: { app: "web" } });
  put("pods", "other", { namespace: "elsewhere" });
});
afterEach(() => world.close());

function put(resource: string, name: string, metadata: Record<string, unknown>): void {
  world.kas.put(resource, { apiVersion: "v1", kind: "Pod", metadata: { name, ...metadata } });
}

function entry(text: string, name = "production"): string {
  return `environments:\n  ${name}: ${text}\n`;
}

function open(cookie = MAINTAINER, environment = "production"): DashboardTab {
  return new DashboardTab(world.clientWith(cookie), world.signal, { environment });
}

function names(tab: DashboardTab): string[] {
  return [...tab.nodes.values()].map(({ ref }) => ref?.name ?? "").toSorted();
}

/** What the page says of its scope. */
function scopeOf(tab: DashboardTab): { text: string; covers: string } {
  const health = tab.messages.findLast(hasHealth)?.message.value;
  const covers = health !== undefined && "health" in health ? health.health?.covers : undefined;
  return { text: scopeText(headerOf(tab)?.environment), covers: covers === undefined ? "" : renderEnglish(fromWordsMessage(covers)) };
}

function scopeText(environment: Environment | undefined): string {
  return environment?.scope === undefined ? "" : renderEnglish(fromWordsMessage(environment.scope));
}

function hasHealth({ message }: WatchEnvironmentResponse): boolean {
  return (message.case === "snapshot" || message.case === "delta") && message.value.health !== undefined;
}

function headerOf(tab: DashboardTab) {
  const message = tab.messages.findLast((each) => each.message.case === "header")?.message;
  return message?.case === "header" ? message.value : undefined;
}

function noticesOf(tab: DashboardTab): string[] {
  return (headerOf(tab)?.notices ?? []).map((notice) => renderEnglish(fromWordsMessage(notice)));
}

test("without a file an environment is its namespace, without a notice", async () => {
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 3);
  expect([scopeOf(tab), noticesOf(tab)]).toEqual([OWN, []]);
});

test("an environment has the namespaces that the file names, also others than its own", async () => {
  world.main.teamFile = entry("{ namespaces: [prod, jobs] }");
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 4);
  expect(names(tab)).toEqual(["api", "job", "tool", "web"]);
  expect(scopeOf(tab)).toEqual({ text: "Namespaces jobs, prod", covers: "" });
});

test("an environment is what bears the labels in all its namespaces, and says how much of them that is", async () => {
  world.main.teamFile = entry("{ namespaces: [prod, jobs], labels: { app: [web, worker] } }", "prod*");
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 2);
  expect(names(tab)).toEqual(["job", "web"]);
  expect(scopeOf(tab)).toEqual({
    text: "Namespaces jobs, prod, with labels app in (web, worker)",
    covers: "2 of 4 resources of namespaces jobs, prod",
  });
  put("pods", "web-2", { namespace: "jobs", labels: { app: "worker" } });
  await tab.until(() => tab.nodes.size === 3);
  await tab.until(() => scopeOf(tab).covers === "3 of 5 resources of namespaces jobs, prod");
});

test("an environment is what belongs to an inventory", async () => {
  world.main.teamFile = entry("{ inventoryId: inv-1 }");
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 1);
  expect(names(tab)).toEqual(["tool"]);
  expect(scopeOf(tab)).toEqual({ text: "Namespace prod, inventory inv-1", covers: "1 of 3 resources of namespace prod" });
});

test("T17, T23: two viewers with different rights in the repository each have their own, also at the same time", async () => {
  world.main.teamFile = entry("{ labels: { app: web } }");
  world.main.withoutCode.add("developer");
  const [maintainer, developer] = [open(MAINTAINER), open(DEVELOPER)];
  await Promise.all([maintainer.until(() => maintainer.nodes.size === 1), developer.until(() => developer.nodes.size === 3)]);
  expect(noticesOf(maintainer)).toEqual([]);
  expect(scopeOf(developer)).toEqual(OWN);
  expect(noticesOf(developer)).toEqual([
    "You may not read the team's file .gitlab/binnacle.yaml in the repository: the environment is shown as the main application has it",
  ]);
  expect(new Set(world.main.filesReadBy)).toEqual(new Set(["maintainer", "developer"]));
});

test("T27: a hostile file shows no viewer what he may not read: that namespace is not visible, the rest of the page is there", async () => {
  world.main.teamFile = entry("{ namespaces: [prod, elsewhere] }");
  world.kas.clusterWide = false;
  world.kas.forbidden.add("developer elsewhere");
  const [maintainer, developer] = [open(MAINTAINER), open(DEVELOPER)];
  await maintainer.until(() => maintainer.isComplete() && maintainer.nodes.size === 4);
  await developer.until(() => developer.isComplete() && developer.nodes.size === 3);
  expect(names(developer)).toEqual(["api", "tool", "web"]);
  const snapshots = developer.messages.flatMap(({ message }) =>
    message.case === "snapshot" ? message.value.sources : message.case === "delta" ? message.value.upsertedSources : [],
  );
  const pods = snapshots.findLast(({ resource, namespace }) => resource === "pods" && namespace === "elsewhere");
  expect(pods?.settled).toBe(SettledState.FORBIDDEN);
});

test("a file that changes while the page is open makes another scope of it; one that is withdrawn gives the own one back", async () => {
  world.main.teamFile = entry("{ labels: { app: web } }");
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 1);
  world.main.teamFile = entry("{ namespaces: [jobs] }");
  clock.skip(31_000);
  await tab.until(() => names(tab).join() === "job");
  expect(scopeOf(tab)).toEqual({ text: "Namespace jobs", covers: "" });
  world.main.teamFile = undefined;
  clock.skip(31_000);
  await tab.until(() => tab.nodes.size === 3);
  expect([scopeOf(tab), noticesOf(tab)]).toEqual([OWN, []]);
});

test("T23: who loses the right to the repository while the page is open loses the file's scope with it", async () => {
  world.main.teamFile = entry("{ labels: { app: web } }");
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 1);
  world.main.withoutCode.add("maintainer");
  clock.skip(31_000);
  await tab.until(() => tab.nodes.size === 3);
  expect(noticesOf(tab)).toHaveLength(1);
});

test("a page that is open goes on as it is while the file cannot be read", async () => {
  world.main.teamFile = entry("{ labels: { app: web } }");
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 1);
  world.main.repository = "broken";
  const before = world.main.filesReadBy.length;
  clock.skip(31_000);
  while (world.main.filesReadBy.length === before) await new Promise((resolve) => setImmediate(resolve));
  put("pods", "web-2", { namespace: "prod", labels: { app: "web" } });
  await tab.until(() => tab.nodes.size === 2);
  const later = open();
  await later.until(() => later.isComplete() && later.nodes.size === 2);
  expect(noticesOf(later)).toEqual([
    "The team's file .gitlab/binnacle.yaml could not be read now: the version that was read last stays in force",
  ]);
});

test.each([
  ["broken", "could not be read"],
  ["binary", "is no text"],
  ["silent", "could not be read"],
] as const)("a repository that is %s removes no environment, and a notice reports it", async (repository, sentence) => {
  world.main.teamFile = entry("{ labels: { app: web } }");
  world.main.repository = repository;
  const tab = open();
  if (repository === "silent") {
    while (world.main.filesReadBy.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.skip(3_000);
  }
  await tab.until(() => tab.isComplete() && tab.nodes.size === 3);
  expect(noticesOf(tab)).toEqual([expect.stringContaining(sentence)]);
});

test("T27: a file of a megabyte is not read, and the page is there", async () => {
  world.main.teamFile = entry(`{ labels: { app: "${"x".repeat(1_000_000)}" } }`);
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 3);
  expect(noticesOf(tab)).toEqual([expect.stringContaining("longer than 64 KiB")]);
});

test("errors of the file are shown on the page, with line and remedy; its valid entries apply", async () => {
  world.main.teamFile = `${entry("{ labels: { app: web } }")}  staging: { namespace: [x] }\nhidden: [ConfigMap]\nweights: { batch/Job: ignore, Pod: count }\n`;
  const tab = open();
  await tab.until(() => tab.isComplete() && tab.nodes.size === 1);
  expect(noticesOf(tab)).toEqual([
    ".gitlab/binnacle.yaml, line 3, environments.staging.namespace: is not known; did you mean namespaces? known: namespaces, labels, inventoryId",
    "1 kind is hidden by .gitlab/binnacle.yaml: ConfigMap",
    "1 kind does not count for the health of the environment, by .gitlab/binnacle.yaml: batch/Job",
  ]);
});

test("two environments with different parts of one namespace share its watches", async () => {
  world.main.environments.push({ id: 8, name: "canary", namespace: "prod", agentId: 3 });
  world.main.teamFile = `${entry("{ labels: { app: web } }")}  canary: { labels: { app: api } }\n`;
  const production = open();
  await production.until(() => production.isComplete() && production.nodes.size === 1);
  const watches = world.kas.watchesOf("maintainer");
  const canary = open(MAINTAINER, "canary");
  await canary.until(() => canary.isComplete() && canary.nodes.size === 1);
  expect([names(production), names(canary)]).toEqual([["web"], ["api"]]);
  expect(world.kas.watchesOf("maintainer")).toEqual(watches);
});

test("a resource in a namespace that the file names is read in full, one elsewhere is not there", async () => {
  world.main.teamFile = entry("{ namespaces: [prod, jobs] }");
  const client = world.clientWith(MAINTAINER);
  const ref = (name: string, namespace: string) => ({ version: "v1", kind: "Pod", resource: "pods", namespace, name });
  const ask = (name: string, namespace: string) =>
    client.getResource({ projectPath: "group/app", environment: "production", ref: ref(name, namespace) });
  expect((await ask("job", "jobs")).yaml).toContain("name: job");
  await expect(ask("other", "elsewhere")).rejects.toThrow("The resource is not in a namespace of production.");
});

test("rows of the index are of the same scopes, and follow the file", async () => {
  world.main.teamFile = entry("{ labels: { app: web } }");
  const rows = new Map<string, EnvironmentRow>();
  const stop = new AbortController();
  const stream = world.clientWith(MAINTAINER).watchEnvironments({ projectPath: "group/app" }, { signal: stop.signal });
  const seen: string[] = [];
  try {
    for await (const { rows: changed } of stream) {
      for (const row of changed) rows.set(row.environment?.name ?? "", row);
      const row = rows.get("production");
      const { health } = row ?? {};
      if (health === undefined) continue;
      const text = `${scopeText(row?.environment)}: ${health.counts.reduce((sum, { count }) => sum + count, 0)}`;
      if (seen.at(-1) === text) continue;
      seen.push(text);
      if (seen.length === 2) break;
      world.main.teamFile = entry("{ namespaces: [prod, jobs] }");
      clock.skip(31_000);
    }
  } finally {
    stop.abort();
  }
  expect(seen).toEqual(["Namespace prod, with labels app=web: 1", "Namespaces jobs, prod: 4"]);
});
