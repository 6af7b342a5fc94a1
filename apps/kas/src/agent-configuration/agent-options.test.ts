import { create } from "@bufbuild/protobuf";
import { ConfigurationFileSchema } from "@binnacle/proto/agentcfg";
import { expect, test } from "vitest";

import { agentOptionsPath, parseAgentOptions } from "./agent-options.ts";

const FILE = create(ConfigurationFileSchema, { gitops: { manifestProjects: [{ id: "group/app" }, { id: "group/other" }] } });
const PATH = agentOptionsPath("demo");

const parse = (text: string) => parseAgentOptions(text, PATH, FILE);
const projects = (text: string) => parse(`gitops: {manifest_projects: ${text}}`).gitops?.manifestProjects;

test("an empty file says nothing", () => {
  expect(PATH).toBe(".gitlab/agents/demo/binnacle.yaml");
  expect(parse("").gitops?.manifestProjects).toEqual([]);
  expect(parse("gitops: {}").gitops?.manifestProjects).toEqual([]);
});

test("what a project leaves out is how the GitLab agent acts", () => {
  expect(projects("[{id: group/app}]")).toMatchObject([
    { id: "group/app", forceConflicts: false, stopOn: "unreadable_file", drift: "correct" },
  ]);
});

test("what the file says holds", () => {
  expect(projects("[{id: group/other, force_conflicts: true, stop_on: nothing, drift: show}]")).toMatchObject([
    { id: "group/other", forceConflicts: true, stopOn: "nothing", drift: "show" },
  ]);
});

test.each([
  ["gitopsy: {}", "gitopsy: is no key we know"],
  ["gitops: {manifest_projects: [{id: group/app, force: true}]}", "gitops.manifest_projects.0.force: is no key we know"],
  ["gitops: {manifest_projects: [{id: group/app, drift: maybe}]}", "gitops.manifest_projects.0.drift: "],
  ["gitops: {manifest_projects: [{drift: show}]}", "gitops.manifest_projects.0.id: is missing"],
  ["gitops: {manifest_projects: [{id: group/app, force_conflicts: 'yes'}]}", "gitops.manifest_projects.0.force_conflicts: "],
  ["gitops: {manifest_projects: [{id: group/app}, {id: group/app}]}", "manifest_projects.1.id: group/app stands there twice"],
  ["gitops: {manifest_projects: [{id: elsewhere}]}", "elsewhere is none of gitops.manifest_projects of config.yaml"],
  ["- a", "(whole file): "],
  ["gitops: {", "(whole file): "],
  ["gitops: !!js/function 'x'", "gitops: "],
  ["__proto__: {a: 1}", "__proto__: is no key we know"],
])("%s is refused, with the file and the key", (text, message) => {
  const refusal = { reason: "configuration_invalid", message: expect.stringContaining(message) };
  expect(() => parse(text)).toThrow(expect.objectContaining(refusal));
  expect(() => parse(text)).toThrow(/^\.gitlab\/agents\/demo\/binnacle\.yaml cannot be used: /);
});

test("every mistake is told at once", () => {
  expect(() => parse("a: 1\ngitops: {b: 2}\n")).toThrow(/ gitops\.b: is no key we know.* a: is no key we know/);
});
