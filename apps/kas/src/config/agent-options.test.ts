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

test("drift may be ignored", () => {
  expect(projects("[{id: group/app, drift: ignore}]")).toMatchObject([{ drift: "ignore" }]);
});

test("five thousand objects a commit, or as many as the file says", () => {
  expect(parse("").gitops?.maxObjects).toBe(5_000);
  expect(parse("gitops: {max_objects: 40000}").gitops?.maxObjects).toBe(40_000);
});

test.each([
  ["gitopsy: {}", "gitopsy: is no key we know"],
  ["gitops: {max_objects: 0}", "gitops.max_objects: "],
  ["gitops: {max_objects: 1000000}", "gitops.max_objects: "],
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

test("all mistakes are reported at once", () => {
  expect(() => parse("a: 1\ngitops: {b: 2}\n")).toThrow(/ gitops\.b: is no key we know.* a: is no key we know/);
});

const ENTRY = "{name: prometheus, namespace: monitoring, service: prometheus-operated, port: web, metrics: true";
const service = (more = "", entry = ENTRY) => parse(`services: [${entry}${more === "" ? "" : `, ${more}`}}]`).services[0];

test("a service with a name only may be read below any path, and no caller may send requests of its own", () => {
  expect(parse("").services).toEqual([]);
  expect(service()).toMatchObject({
    name: "prometheus",
    namespace: "monitoring",
    service: "prometheus-operated",
    discover: "",
    port: "web",
    scheme: "http",
    pathPrefix: "/",
    methods: ["GET", "HEAD"],
    upgrades: false,
    answerWithinSeconds: 30,
    metrics: true,
    raw: { users: [], groups: [], projects: [] },
  });
});

test("the options of a service apply", () => {
  const text =
    "{name: api, namespace: shop, service: api, port: 8080, path_prefix: /v1/, upgrades: true, methods: [POST], answer_within: 5s, raw: {users: [ann], projects: [{id: 3, roles: [maintainer]}], groups: [{id: 9, roles: [ci_job, owner]}]}";
  expect(service("", text)).toMatchObject({
    port: "8080",
    pathPrefix: "/v1/",
    methods: ["POST"],
    upgrades: true,
    answerWithinSeconds: 5,
    metrics: false,
    raw: { users: ["ann"], projects: [{ id: 3n, roles: ["maintainer"] }], groups: [{ id: 9n, roles: ["ci_job", "owner"] }] },
  });
});

test.each([
  ["path_prefix: /a/../b", "services.0.path_prefix: has dot segments"],
  ["path_prefix: /a%2fb", "services.0.path_prefix: is no plain absolute path"],
  ["path_prefix: a/", "services.0.path_prefix: is no plain absolute path"],
  ["discover: prometheus", "services.0.service: exactly one of service and discover is needed"],
  ["methods: [TRACE]", "services.0.methods.0:"],
  ["methods: []", "services.0.methods:"],
  ["answer_within: 2m", "services.0.answer_within: must be from 1s to 1m"],
  ["ca_certificate: x", "services.0.ca_certificate: is for scheme https"],
  ["scheme: https, ca_certificate: x", "services.0.ca_certificate: is no PEM certificate"],
  ["raw: {projects: [{id: 3, roles: [boss]}]}", "services.0.raw.projects.0.roles.0:"],
  ["hosts: [a]", "services.0.hosts: is no key we know"],
])("a mistake in a service is reported with its location: %s", (more, message) => {
  expect(() => service(more)).toThrow(message);
});

test("an entry without a port, a second one of its name, and one that no caller may use are rejected, all at once", () => {
  const text = "services: [{name: a, namespace: n, service: s, metrics: true}, {name: a, namespace: n, service: s, port: 1}]";
  expect(() => parse(text)).toThrow(
    /services\.0\.port: is needed with service.*services\.1\.name: a stands there twice.*services\.1\.raw: names no user, group or project/,
  );
});
