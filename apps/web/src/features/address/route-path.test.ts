import { expect, test } from "vitest";
import { projectCrumbs } from "./project-crumbs.ts";
import {
  agentPath,
  agentsPath,
  environmentPath,
  indexPath,
  newEnvironmentPath,
  parseProjectRoute,
  placePath,
  settingsPath,
} from "./route-path.ts";

test.each([
  ["harbor/storefront", "production"],
  ["a/b/c/d", "review/1184-cart"],
  ["group/environments", "environments"],
  ["grüppe/äpp", "100 %"],
])("an environment's address of %s, %s reads back", (projectPath, environment) => {
  const segments = environmentPath(projectPath, environment).split("/").slice(2);
  expect(parseProjectRoute(segments)).toEqual({ kind: "environment", projectPath, environment });
});

test.each(["harbor/storefront", "a/b/c/d", "grüppe/100 %"])("addresses of the agents of %s read back", (projectPath) => {
  const segments = (path: string) => path.split("/").slice(2);
  expect(parseProjectRoute(segments(agentsPath(projectPath)))).toEqual({ kind: "agents", projectPath });
  expect(parseProjectRoute(segments(agentPath(projectPath, "blue")))).toEqual({ kind: "agent", projectPath, agent: "blue" });
});

test("an environment may be called like a page of agents", () => {
  const named = (environment: string) => ({ kind: "environment", projectPath: "g/p", environment });
  expect(parseProjectRoute(["g", "p", "environments", "a", "-", "agents"])).toEqual(named("a/-/agents"));
  expect(parseProjectRoute(environmentPath("g/p", "-/agents").split("/").slice(2))).toEqual(named("-/agents"));
});

test("a new environment is made of an agent and a namespace", () => {
  expect(newEnvironmentPath("g/p", { agent: "blue", namespace: "a&b" })).toBe("/p/g/p/environments/-/new?agent=blue&namespace=a%26b");
  expect(newEnvironmentPath("g/p", { agent: "blue", namespace: "" })).toBe("/p/g/p/environments/-/new?agent=blue");
});

test("an index's address reads back", () => {
  expect(parseProjectRoute(indexPath("harbor/storefront").split("/").slice(2))).toEqual({
    kind: "index",
    projectPath: "harbor/storefront",
  });
});

test("a name typed with bare slashes is understood", () => {
  expect(parseProjectRoute(["g", "p", "environments", "review", "a"])).toEqual({
    kind: "environment",
    projectPath: "g/p",
    environment: "review/a",
  });
});

test.each(["production", "a/settings", "review/-/settings", "-", "new"])("the address of the settings of %s reads back", (environment) => {
  const segments = (path: string): string[] => path.split("/").slice(2);
  expect(parseProjectRoute(segments(settingsPath("a/b", environment)))).toEqual({ kind: "settings", projectPath: "a/b", environment });
  expect(parseProjectRoute(segments(environmentPath("a/b", environment)))).toEqual({
    kind: "environment",
    projectPath: "a/b",
    environment,
  });
});

test("the address of a new environment reads back, and an environment called new has one of its own", () => {
  expect(parseProjectRoute(newEnvironmentPath("a/b").split("/").slice(2))).toEqual({ kind: "new-environment", projectPath: "a/b" });
  expect(parseProjectRoute(["a", "b", "environments", "new"])).toEqual({ kind: "environment", projectPath: "a/b", environment: "new" });
  expect(parseProjectRoute(["a", "b", "environments", "a", "settings"])).toMatchObject({ kind: "environment", environment: "a/settings" });
  expect(parseProjectRoute(["a", "b", "environments", "a", "settings", "-", "settings"])).toMatchObject({
    kind: "settings",
    environment: "a/settings",
  });
});

test("other paths are a group or a project, and read back", () => {
  expect(parseProjectRoute(["x"])).toEqual({ kind: "place", path: "x" });
  expect(parseProjectRoute(["environments"])).toEqual({ kind: "place", path: "environments" });
  expect(parseProjectRoute(placePath("grüppe/100 %").split("/").slice(2))).toEqual({ kind: "place", path: "grüppe/100 %" });
});

test("each step of the way to a project leads somewhere", () => {
  expect(projectCrumbs("a/b/c")).toEqual([
    { text: "a", href: "/p/a", isName: true },
    { text: "b", href: "/p/a/b", isName: true },
    { text: "c", href: "/p/a/b/c/environments", isName: true },
  ]);
});
