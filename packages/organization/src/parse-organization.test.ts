import { ConfigError } from "@binnacle/config";
import { expect, test } from "vitest";

import { parseOrganization, type OrganizationText } from "./parse-organization.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

/** Problems of one text, each as "line:column path: message". */
function problemsOf(...texts: readonly string[]): string[] {
  const files: OrganizationText[] = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  try {
    parseOrganization(files);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

test("an empty file is an organization without anything in it", () => {
  expect(problemsOf("")).toEqual([]);
  expect(parseOrganization([{ file: "a.yaml", text: "# nothing yet\n" }]).agents).toEqual([]);
});

test("lists of several files are joined", () => {
  const organization = parseOrganization([
    { file: "a.yaml", text: "projects:\n  - { id: 1, path: shop/store }\n" },
    { file: "b.yaml", text: `agents:\n  - { id: 7, name: prod, project: shop/store, tokens: ["${DIGEST}"] }\n` },
  ]);
  expect(organization.agents.map(({ id, projectId }) => [id, projectId])).toEqual([[7, 1]]);
});

test("a syntax error has its line and column", () => {
  expect(problemsOf('projects:\n  - { id: 1, path: "shop/store }\n')[0]).toMatch(/^0\.yaml:3:1: .*quote/i);
});

test("every mistake of a file is listed with line, column and path", () => {
  expect(
    problemsOf(`projects:
  - id: 1
    path: store
    colour: red
  - path: shop/other
agents:
  - { id: 2, name: Prod, project: shop/other }
`),
  ).toEqual([
    '0.yaml:3:11: projects.0.path: must be the path of a project: "group/project"',
    "0.yaml:4:13: projects.0.colour: is no key we know",
    "0.yaml:5:5: projects.1.id: is missing; expected number",
    "0.yaml:7:20: agents.0.name: must be a DNS label: lower-case letters, digits and -, at most 63 characters",
  ]);
});

test("T67: no error text shows a token", () => {
  const problems = problemsOf(`projects: [{ id: 1, path: a/b }]
agents: [{ id: 1, name: prod, project: a/b, tokens: ["glagent-canary"] }]
`);
  expect(problems).toHaveLength(1);
  expect(problems.join("\n")).not.toContain("canary");
});

test("an id, a path, a name and a token that occur twice are found, also in two files", () => {
  const one = `projects: [{ id: 1, path: shop/store }]
agents: [{ id: 7, name: prod, project: shop/store, tokens: ["${DIGEST}"] }]
`;
  expect(problemsOf(one, one)).toEqual([
    "1.yaml:1:18: projects.0.id: is the same as at 0.yaml:1:18",
    "1.yaml:1:27: projects.0.path: is the same as at 0.yaml:1:27",
    "1.yaml:2:16: agents.0.id: is the same as at 0.yaml:2:16",
    "1.yaml:2:25: agents.0.name: is the same as at 0.yaml:2:25",
    "1.yaml:2:60: agents.0.tokens: is the same as at 0.yaml:2:60",
  ]);
});

test("two paths that differ in case only are the same", () => {
  expect(problemsOf("projects: [{ id: 1, path: shop/store }, { id: 2, path: Shop/Store }]")).toEqual([
    "0.yaml:1:56: projects.1.path: is the same as at 0.yaml:1:27",
  ]);
});

test("an agent without its project is found", () => {
  expect(problemsOf("agents: [{ id: 1, name: prod, project: shop/infra }]")).toEqual([
    "0.yaml:1:40: agents.0.project: is not in projects: shop/infra",
  ]);
});

test.each(["system:masters", "", "a\u202Eb", "x".repeat(257)])("T67: a user or group called %j is refused", (name) => {
  const agent = { id: 1, name: "prod", project: "a/b" };
  const problems = (access: object): string[] => {
    const user_access = { access_as: "user", ...access };
    return problemsOf(JSON.stringify({ projects: [{ id: 1, path: "a/b" }], agents: [{ ...agent, user_access }] }));
  };
  expect(problems({ users: [name] })).toHaveLength(1);
  expect(problems({ groups: [name] })).toHaveLength(1);
});

test("a few lines of aliases do not become gigabytes", () => {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (const [name, of] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"])
    lines.push(`${name}: &${name} [${Array(9).fill(`*${of}`).join(", ")}]`);
  expect(problemsOf(lines.join("\n"))).toEqual([expect.stringMatching(/alias count/i)]);
});

const infra = 'projects: [{ id: 1, path: a/b, environments: [{ name: prod, agent: demo }, { name: other, agent: "a/b:gone" }] }]';
test("an environment without its agent is found, and one with the agent of its project is not", () => {
  expect(problemsOf(infra, "agents: [{ id: 1, name: demo, project: a/b }]")).toEqual([
    "0.yaml:1:98: projects.0.environments.1.agent: is not in agents: a/b:gone",
  ]);
});

test("environments of one project, users and their tokens have names of their own", () => {
  const environments = "projects: [{ id: 1, path: a/b, environments: [{ name: x }, { name: x }] }]";
  expect(problemsOf(environments)).toEqual(["0.yaml:1:68: projects.0.environments.1.name: is the same as at 0.yaml:1:55"]);
  const user = `users: [{ name: olga, tokens: [{ name: laptop, hash: "${DIGEST}" }] }]`;
  expect(problemsOf(user, user)).toEqual([
    "1.yaml:1:17: users.0.name: is the same as at 0.yaml:1:17",
    "1.yaml:1:54: users.0.tokens.0.hash: is the same as at 0.yaml:1:54",
  ]);
});

test.each([
  ["a password in plain text", "users: [{ name: olga, password: canary-secret }]"],
  ["a user that Kubernetes owns", 'users: [{ name: "system:admin" }]'],
  ["a member without a role", "projects: [{ id: 1, path: a/b, members: [{ user: olga }] }]"],
  ["a member that is both", "projects: [{ id: 1, path: a/b, members: [{ user: olga, group: all, role: reporter }] }]"],
  ["an environment whose name ends with a slash", "projects: [{ id: 1, path: a/b, environments: [{ name: review/ }] }]"],
  ["a link that is a script", 'projects: [{ id: 1, path: a/b, environments: [{ name: x, external_url: "javascript:alert(1)" }] }]'],
])("T78: %s is one mistake with its place, which is not repeated", (_, text) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^0\.yaml:1:\d+: (users|projects)\.0\./);
  expect(problems[0]).not.toContain("canary");
});
