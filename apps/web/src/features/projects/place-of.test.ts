import { create } from "@bufbuild/protobuf";
import { ProjectSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { placeOf } from "./place-of.ts";

const PROJECTS = ["harbor/storefront", "harbor/pier/cranes", "harbor-2/boats"].map((fullPath) =>
  create(ProjectSchema, { fullPath, name: fullPath }),
);

test("a path is a project, a group with the viewer's projects in it at any depth, or nothing", () => {
  expect(placeOf("harbor/storefront", PROJECTS)).toEqual({ kind: "project", fullPath: "harbor/storefront" });
  expect(placeOf("Harbor/Storefront", PROJECTS)).toEqual({ kind: "project", fullPath: "harbor/storefront" });
  expect(placeOf("harbor", PROJECTS)).toMatchObject({
    kind: "group",
    projects: [{ name: "harbor/storefront" }, { name: "harbor/pier/cranes" }],
  });
  expect(placeOf("harbor/pier", PROJECTS)).toMatchObject({ kind: "group", projects: [{ name: "harbor/pier/cranes" }] });
  for (const path of ["harb", "harbor/store", "", "storefront"]) expect(placeOf(path, PROJECTS)).toEqual({ kind: "nothing" });
});
