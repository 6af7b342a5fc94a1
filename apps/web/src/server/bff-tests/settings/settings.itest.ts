import {
  SettingsAgentState,
  SettingsControl,
  SettingsOutcome,
  type GetEnvironmentSettingsResponse,
  type SaveEnvironmentSettingsResponse,
  type Settings,
  type SettingsResult,
} from "@binnacle/proto/dashboard-settings";
import type { Words } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code, type Client } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { NAMES, settingsClient } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const FILE = "# ours\nenvironments:\n  production: {namespaces: [prod, prod-jobs]}  # two\nhidden: [ConfigMap]\n";
const { DONE, UNCHANGED, CONFLICT, REJECTED, PROPOSED, UNKNOWN, UNSPECIFIED } = SettingsOutcome;

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "developer", "outsider"]);
  world.start();
});
afterEach(() => world.close());

function as(user: string, headers: Record<string, string> = { origin: ORIGIN }): Client<typeof Settings> {
  return settingsClient(world.bff, { ...headers, cookie: `_gitlab_session=session-${user}` });
}

function textOf(words: Words | undefined): string {
  return words === undefined ? "" : renderEnglish(fromWordsMessage(words));
}

type Changes = Partial<
  Pick<NonNullable<GetEnvironmentSettingsResponse["settings"]>, "agentId" | "namespaces" | "selector" | "inventoryId" | "fluxResourcePath">
>;

/** What a page has read, and saves with changes. */
class Page {
  readonly #client: Client<typeof Settings>;
  readonly read: GetEnvironmentSettingsResponse;

  private constructor(client: Client<typeof Settings>, read: GetEnvironmentSettingsResponse) {
    this.#client = client;
    this.read = read;
  }

  static async open(user = "maintainer", environment = NAMES.environment): Promise<Page> {
    const client = as(user);
    return new Page(client, await client.getEnvironmentSettings({ ...NAMES, environment }));
  }

  save(changes: Changes): Promise<SaveEnvironmentSettingsResponse> {
    const { settings: before, fileVersion } = this.read;
    const { $typeName: _, ...same } = before ?? { $typeName: "" };
    return this.#client.saveEnvironmentSettings({ ...NAMES, settings: { ...same, ...changes }, ...(before && { before }), fileVersion });
  }
}

function outcomes({ file, mainApplication }: { file?: SettingsResult | undefined; mainApplication?: SettingsResult | undefined }): unknown {
  return [file?.outcome, mainApplication?.outcome];
}

const nameOf = new Map<number, string>(Object.entries(SettingsControl).map(([name, number]) => [number, name]));

function disabled({ disabled: controls }: GetEnvironmentSettingsResponse): Record<string, string> {
  return Object.fromEntries(controls.map(({ control, words }) => [nameOf.get(control) ?? String(control), textOf(words)]));
}

describe("settings are read", () => {
  test("with agents that may be chosen, and those of CI jobs with the lines that would allow them", async () => {
    world.main.settings.agents.push(
      { id: 9, name: "platform", project: "", forUsers: true },
      { id: 10, name: "ci", project: "group/ci", forUsers: false },
      { id: 3, name: "demo", project: "group/app", forUsers: false },
    );
    const { read } = await Page.open();
    expect(read.agents.map(({ id, projectPath, isSharedWithUsers }) => [id, projectPath, isSharedWithUsers])).toEqual([
      ["9", "", true],
      ["3", "group/app", true],
      ["10", "group/ci", false],
    ]);
    expect(read.agents[2]?.userAccessYaml).toBe("user_access:\n  access_as:\n    user: {}\n  projects:\n    - id: group/app\n");
    expect(read).toMatchObject({
      agentState: SettingsAgentState.AVAILABLE,
      agentName: "demo",
      settings: { agentId: "3", namespaces: ["prod"] },
    });
    expect(disabled(read)).toEqual({ DELETE: "Only a stopped environment can be deleted." });
  });

  test("an agent that is not shared any more, or is gone, is a state of its own", async () => {
    world.main.settings.agents = [{ id: 3, name: "demo", project: "group/app", forUsers: false }];
    expect((await Page.open()).read.agentState).toBe(SettingsAgentState.NOT_SHARED);
    world.main.environments = [{ id: 7, name: "production", namespace: "prod", agentId: 0 }];
    expect((await Page.open()).read.agentState).toBe(SettingsAgentState.UNSPECIFIED);
  });

  test("T70: a developer sees why nothing can be changed", async () => {
    const { read } = await Page.open("developer");
    expect(disabled(read)).toMatchObject({
      AGENT: "You may not change environment production of group/app. Ask a maintainer of the project.",
      STOP: "You may not stop environment production of group/app. Ask a maintainer of the project.",
    });
  });

  test("what an early 16.x lacks is disabled with the version that brings it, and not queried; the introspection is sent once", async () => {
    for (const each of ["EnvironmentUpdateInput.fluxResourcePath", "Environment.fluxResourcePath", "Environment.userPermissions"])
      world.main.settings.lacks.add(each);
    const { read } = await Page.open();
    await Page.open("developer");
    expect(disabled(read)["FLUX"]).toBe("This instance cannot do it: GitLab 16.3 or newer is needed.");
    expect(world.main.settings.introspected).toBe(1);
  });

  test("environments with slashes in their names are found, and others not", async () => {
    world.main.environments.push({ id: 8, name: "a/settings", namespace: "a", agentId: 3 });
    expect((await Page.open("maintainer", "a/settings")).read.settings?.namespaces).toEqual(["a"]);
    await expect(Page.open("maintainer", "nothing")).rejects.toMatchObject({ code: Code.NotFound });
  });
});

describe("settings are saved", () => {
  test("in the main application: only what differs is sent", async () => {
    world.main.settings.agents.push({ id: 9, name: "platform", project: "group/platform", forUsers: true });
    const page = await Page.open();
    expect(outcomes(await page.save({ agentId: "9" }))).toEqual([UNCHANGED, DONE]);
    expect(world.main.settings.writes).toEqual([
      {
        mutation: "environmentUpdate",
        user: "maintainer",
        input: { id: "gid://gitlab/Environment/7", clusterAgentId: "gid://gitlab/Clusters::Agent/9" },
      },
    ]);
    expect(outcomes(await (await Page.open()).save({}))).toEqual([UNCHANGED, UNCHANGED]);
    expect(outcomes(await (await Page.open()).save({ agentId: "", namespaces: ["other"] }))).toEqual([UNCHANGED, DONE]);
    expect(world.main.settings.writes[1]?.input).toEqual({
      id: "gid://gitlab/Environment/7",
      clusterAgentId: null,
      kubernetesNamespace: "other",
    });
  });

  test("T71: in the file, in place and with the last commit as precondition, before the main application", async () => {
    world.main.teamFile = FILE;
    const page = await Page.open();
    expect(page.read).toMatchObject({ fileEntry: "production", settings: { namespaces: ["prod", "prod-jobs"] } });
    const flux = "kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/app";
    const saved = await page.save({ namespaces: ["prod", "prod-db"], selector: "app=web", fluxResourcePath: flux });
    expect(outcomes(saved)).toEqual([DONE, DONE]);
    expect(saved.file?.url).toBe("http://app.localhost:8080/group/app/-/commit/1");
    expect(world.main.teamFile).toBe(FILE.replace("{namespaces: [prod, prod-jobs]}", "{namespaces: [prod, prod-db], labels: {app: web}}"));
    expect(world.main.settings.writes.map(({ mutation }) => mutation)).toEqual(["commitCreate", "environmentUpdate"]);
    expect(world.main.settings.writes[0]?.input).toMatchObject({ branch: "main", actions: [{ action: "UPDATE", lastCommitId: "1" }] });
    expect(world.audit.map(({ action, outcome, purpose }) => [action.verb, outcome, purpose?.["environment"]])).toEqual([
      ["commit", "done", "production"],
      ["update", "done", "production"],
    ]);
  });

  test("T71: not over a file that has changed since, and not over one that changes while it is saved", async () => {
    world.main.teamFile = FILE;
    const page = await Page.open();
    world.main.teamFile = `${FILE}# another person\n`;
    const saved = await page.save({ inventoryId: "inv" });
    expect(outcomes(saved)).toEqual([CONFLICT, UNSPECIFIED]);
    expect(textOf(saved.file?.words)).toMatch(/has changed since this page was loaded/);
    expect(world.main.settings.writes).toEqual([]);
    const another = await Page.open();
    world.main.settings.beforeWrite = () => (world.main.settings.lastCommit += 1);
    expect(outcomes(await another.save({ inventoryId: "inv" }))).toEqual([CONFLICT, UNSPECIFIED]);
    expect(world.main.teamFile).toBe(`${FILE}# another person\n`);
  });

  test("T70: of two maintainers the second learns that an environment has one agent", async () => {
    world.main.settings.agents.push(
      { id: 9, name: "platform", project: "", forUsers: true },
      { id: 11, name: "edge", project: "", forUsers: true },
    );
    const [first, second] = [await Page.open(), await Page.open()];
    expect(outcomes(await first.save({ agentId: "9" }))).toEqual([UNCHANGED, DONE]);
    const saved = await second.save({ agentId: "11" });
    expect(outcomes(saved)).toEqual([UNCHANGED, CONFLICT]);
    expect(textOf(saved.mainApplication?.words)).toMatch(/has one agent, and another person has set agent platform/);
    // What the second has not touched is no conflict.
    expect(outcomes(await second.save({ namespaces: ["other"] }))).toEqual([UNCHANGED, DONE]);
    expect(world.main.environments[0]).toMatchObject({ agentId: 9, namespace: "other" });
  });

  test("T70: as the viewer: the main application rejects a developer, whose file becomes a proposal", async () => {
    const page = await Page.open("developer");
    const rejected = await page.save({ namespaces: ["other"] });
    expect(outcomes(rejected)).toEqual([UNCHANGED, REJECTED]);
    expect(textOf(rejected.mainApplication?.words)).toMatch(/^Example rejected the change: The resource that you are attempting/);
    const proposed = await page.save({ namespaces: ["one", "two"] });
    expect(outcomes(proposed)).toEqual([PROPOSED, UNCHANGED]);
    const [branch = "", text] = [...world.main.settings.proposals][0] ?? [];
    expect(text).toBe("environments:\n  production:\n    namespaces: [one, two]\n");
    expect(new URL(proposed.file?.url ?? "").searchParams.get("merge_request[source_branch]")).toBe(branch);
    expect(world.main.teamFile).toBeUndefined();
  });

  test("T70: an agent that is not shared for users is not set", async () => {
    world.main.settings.agents.push({ id: 10, name: "ci", project: "group/ci", forUsers: false });
    const saved = await (await Page.open()).save({ agentId: "10" });
    expect(outcomes(saved)).toEqual([UNCHANGED, REJECTED]);
    expect(textOf(saved.mainApplication?.words)).toMatch(/^Agent ci is not shared with the users of group\/app/);
    expect(outcomes(await (await Page.open()).save({ agentId: "4711" }))).toEqual([UNCHANGED, REJECTED]);
    expect(world.main.settings.writes).toEqual([]);
  });

  test("without an answer it is not known, and what is left is sent by the next save", async () => {
    world.main.settings.silent.add("environmentUpdate");
    world.main.teamFile = FILE;
    const page = await Page.open();
    expect(outcomes(await page.save({ namespaces: ["one"] }))).toEqual([DONE, UNKNOWN]);
    expect(world.main.teamFile).toBe(FILE.replace("  production: {namespaces: [prod, prod-jobs]}  # two\n", ""));
    world.main.settings.silent.clear();
    world.main.environments = [{ id: 7, name: "production", namespace: "prod", agentId: 3 }];
    expect(outcomes(await (await Page.open()).save({ namespaces: ["one"] }))).toEqual([UNCHANGED, DONE]);
    expect(world.main.environments[0]?.namespace).toBe("one");
  });

  test.each<[string, Changes, RegExp]>([
    ["a namespace that is none", { namespaces: ["No!"] }, /^namespaces\.0: /],
    ["a selector that cannot be read", { selector: "app!=web" }, /cannot be read at “app!=web”/],
    ["another Flux resource", { fluxResourcePath: "v1/pods/x" }, /^The Flux resource must be a path/],
  ])("T71: %s is rejected before anything is sent", async (_, changes, why) => {
    const saved = await (await Page.open()).save(changes);
    expect(saved.mainApplication?.outcome).toBe(REJECTED);
    expect(textOf(saved.mainApplication?.words)).toMatch(why);
    expect(world.main.settings.writes).toEqual([]);
  });

  test("T71: a file that cannot be edited in place is left alone, with the lines to write", async () => {
    world.main.teamFile = "{hidden: [Pod]}\n";
    const saved = await (await Page.open()).save({ inventoryId: "inv" });
    expect(outcomes(saved)).toEqual([REJECTED, UNSPECIFIED]);
    expect(textOf(saved.file?.words)).toContain("environments:\n  production:\n    inventoryId: inv\n");
    expect(world.main.teamFile).toBe("{hidden: [Pod]}\n");
  });

  test("T70: a call with a cookie and without an origin, or of another page, changes nothing", async () => {
    const { settings: before, fileVersion } = (await Page.open()).read;
    const request = { ...NAMES, settings: { namespaces: ["evil"] }, ...(before && { before }), fileVersion };
    await expect(as("maintainer", {}).saveEnvironmentSettings(request)).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(as("maintainer", { origin: "http://evil.example" }).stopEnvironment(NAMES)).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await expect(as("maintainer", {}).deleteEnvironment({ ...NAMES, typedName: "production" })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
    await expect(as("nobody").getEnvironmentSettings(NAMES)).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(world.main.settings.writes).toEqual([]);
  });
});

describe("an environment is created, stopped and deleted", () => {
  test("with its entry in the file first", async () => {
    const client = as("maintainer");
    const { fileVersion } = await client.getEnvironmentSettings({ projectPath: "group/app", environment: "" });
    const settings = { agentId: "3", namespaces: ["a", "b"] };
    const request = { projectPath: "group/app", environment: "a/settings", tier: "testing", settings, fileVersion };
    expect(outcomes(await client.createEnvironment(request))).toEqual([DONE, DONE]);
    expect(world.main.teamFile).toBe("environments:\n  a/settings:\n    namespaces: [a, b]\n");
    expect(world.main.settings.writes[1]?.input).toEqual({
      projectPath: "group/app",
      name: "a/settings",
      tier: "TESTING",
      clusterAgentId: "gid://gitlab/Clusters::Agent/3",
    });
    const again = await client.createEnvironment(request);
    expect(textOf(again.mainApplication?.words)).toBe("The project has an environment called a/settings already.");
    const names = { projectPath: "group/app", environment: "a/settings" };
    expect((await client.deleteEnvironment({ ...names, typedName: "a/settings" })).result?.outcome).toBe(REJECTED);
    expect((await client.stopEnvironment(names)).result?.outcome).toBe(DONE);
    expect(textOf((await client.deleteEnvironment({ ...names, typedName: "a" })).result?.words)).toBe(
      "Type the name of the environment to delete it.",
    );
    expect((await client.deleteEnvironment({ ...names, typedName: "a/settings" })).result?.outcome).toBe(DONE);
    expect(world.audit.map(({ action }) => action.verb)).toEqual(["commit", "create", "stop", "delete"]);
  });

  test("T70: not by a developer, and nothing is committed then", async () => {
    const client = as("developer");
    const { disabled: controls, fileVersion } = await client.getEnvironmentSettings({ projectPath: "group/app", environment: "" });
    expect(controls.map(({ control }) => control)).toContain(SettingsControl.CREATE);
    const created = await client.createEnvironment({
      projectPath: "group/app",
      environment: "x",
      settings: { namespaces: ["a", "b"] },
      fileVersion,
    });
    expect(outcomes(created)).toEqual([UNSPECIFIED, REJECTED]);
    expect((await client.stopEnvironment(NAMES)).result?.outcome).toBe(REJECTED);
    expect(world.main.teamFile).toBeUndefined();
  });
});
