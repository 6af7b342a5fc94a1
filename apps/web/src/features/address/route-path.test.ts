import { expect, test } from "vitest";
import { projectCrumbs } from "./project-crumbs.ts";
import { environmentPath, indexPath, parseProjectRoute, placePath } from "./route-path.ts";

test.each([
  ["harbor/storefront", "production"],
  ["a/b/c/d", "review/1184-cart"],
  ["group/environments", "environments"],
  ["grüppe/äpp", "100 %"],
])("an environment's address of %s, %s reads back", (projectPath, environment) => {
  const segments = environmentPath(projectPath, environment).split("/").slice(2);
  expect(parseProjectRoute(segments)).toEqual({ kind: "environment", projectPath, environment });
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
