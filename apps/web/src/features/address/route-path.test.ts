import { expect, test } from "vitest";
import { environmentPath, indexPath, parseProjectRoute } from "./route-path.ts";

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

test("other paths name nothing", () => {
  expect(parseProjectRoute(["x"])).toBeUndefined();
  expect(parseProjectRoute(["environments"])).toBeUndefined();
});
