import { expect, test } from "vitest";
import { projectCrumbs } from "./project-crumbs.ts";
import { agentPath, agentsPath, environmentPath, indexPath, newEnvironmentPath, parseProjectRoute, placePath } from "./route-path.ts";

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
  expect(newEnvironmentPath("g/p", { agent: "blue", namespace: "a&b" })).toBe(
    "/p/g/p/environments/new/-/settings?agent=blue&namespace=a%26b",
  );
  expect(newEnvironmentPath("g/p", { agent: "blue", namespace: "" })).toBe("/p/g/p/environments/new/-/settings?agent=blue");
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
