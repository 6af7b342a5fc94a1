import { PreviewState, type PreviewEnvironmentSettingsResponse, type Settings } from "@binnacle/proto/dashboard-settings";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import type { Client } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { NAMES, settingsClient } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import { pod } from "../../testing/pod.ts";

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "outsider"]);
  world.start();
});
afterEach(() => world.close());

function as(user: string): Client<typeof Settings> {
  return settingsClient(world.bff, { origin: ORIGIN, cookie: `_gitlab_session=session-${user}` });
}

function textOf({ words }: PreviewEnvironmentSettingsResponse): string {
  return words === undefined ? "" : renderEnglish(fromWordsMessage(words));
}

function deployment(
  name: string,
  labels: Record<string, string>,
): Record<string, unknown> & { metadata: { name: string; [field: string]: unknown } } {
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, labels, generation: 1 }, spec: { replicas: 1 }, status: {} };
}

test("resources are counted by kind, and those that another environment shows, too", async () => {
  for (const name of ["web", "api"]) world.kas.put("deployments", deployment(name, { app: name }));
  world.kas.put("pods", pod("p"));
  world.main.environments.push(
    { id: 8, name: "staging", namespace: "prod", agentId: 3 },
    { id: 9, name: "elsewhere", namespace: "other", agentId: 3 },
    { id: 10, name: "of-web", namespace: "prod", agentId: 3 },
    { id: 11, name: "of-another-agent", namespace: "prod", agentId: 4 },
  );
  world.main.teamFile = "environments:\n  of-web: {labels: {app: web}}\n";
  const preview = await as("maintainer").previewEnvironmentSettings({ ...NAMES, settings: { agentId: "3", namespaces: ["prod"] } });
  expect(preview).toMatchObject({ state: PreviewState.COMPLETE, total: 3, clusterUsername: "gitlab:user:maintainer", notCompared: 0 });
  expect(preview.kinds.map(({ kind, count }) => [kind, count])).toEqual([
    ["Deployment", 2],
    ["Pod", 1],
  ]);
  expect(preview.shared.map(({ environment, count }) => [environment, count])).toEqual([
    ["staging", 3],
    ["of-web", 1],
  ]);
  const narrow = await as("maintainer").previewEnvironmentSettings({
    ...NAMES,
    settings: { agentId: "3", namespaces: ["prod"], selector: "app in (api)" },
  });
  expect(narrow).toMatchObject({ total: 1 });
});

test("a selector without a match has the sentence of the blueprint", async () => {
  world.kas.put("pods", pod("p"));
  const settings = { agentId: "3", namespaces: ["prod"], selector: "app=nothing" };
  const preview = await as("maintainer").previewEnvironmentSettings({ ...NAMES, settings });
  expect(preview).toMatchObject({ state: PreviewState.COMPLETE, total: 0 });
  expect(textOf(preview)).toBe(
    `There are no resources found for the environment. Do resources have Example preserved labels? See ${preview.link}`,
  );
});

test("T72: nothing is counted for a viewer whom the agent does not let in, and an unknown agent looks the same", async () => {
  world.kas.put("pods", pod("p"));
  const client = as("outsider");
  const known = await client.previewEnvironmentSettings({ ...NAMES, settings: { agentId: "3" } });
  const unknown = await client.previewEnvironmentSettings({ ...NAMES, settings: { agentId: "4711" } });
  expect([known.state, unknown.state]).toEqual([PreviewState.FORBIDDEN, PreviewState.FORBIDDEN]);
  expect([known.total, known.kinds, known.shared]).toEqual([0, [], []]);
  expect(textOf(known)).toMatch(/does not let outsider in/);
});

test("settings that are not valid, no agent, and an agent that is away are states of their own", async () => {
  const client = as("maintainer");
  const stateOf = async (settings: object): Promise<PreviewState> =>
    (await client.previewEnvironmentSettings({ ...NAMES, settings })).state;
  expect(await stateOf({ agentId: "3", selector: "=" })).toBe(PreviewState.INVALID);
  expect(await stateOf({ namespaces: ["prod"] })).toBe(PreviewState.NO_AGENT);
  world.kas.offline = true;
  expect(await stateOf({ agentId: "3" })).toBe(PreviewState.UNREACHABLE);
});

test("T72: one viewer has three previews at once", async () => {
  const resume = world.main.hold();
  const client = as("maintainer");
  const calls = Array.from({ length: 4 }, () =>
    client.previewEnvironmentSettings({ ...NAMES, settings: { agentId: "3" } }).then(
      () => "answered",
      (error: unknown) => String(error),
    ),
  );
  const first = await Promise.race(calls);
  resume();
  expect(first).toMatch(/Too many previews/);
  expect((await Promise.all(calls)).filter((each) => each === "answered")).toHaveLength(3);
});

test("a new environment is previewed by the page on which new ones are made", async () => {
  world.kas.put("pods", pod("p"));
  const preview = await as("maintainer").previewEnvironmentSettings({
    projectPath: "group/app",
    environment: "",
    settings: { agentId: "3", namespaces: ["prod"] },
  });
  expect(preview).toMatchObject({ total: 1 });
  expect(world.main.requests).toContain("GET /group/app/-/environments/new");
});
