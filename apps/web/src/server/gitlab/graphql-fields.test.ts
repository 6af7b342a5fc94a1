import { readdirSync, readFileSync } from "node:fs";

import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { QUERIES as ENVIRONMENT_QUERIES } from "./environment-query.ts";
import { InstanceFields, type OptionalField } from "./instance-fields.ts";
import { QUERIES as BLOB_QUERIES } from "./query-blob.ts";
import { QUERIES as COMMIT_QUERIES } from "./query-commit.ts";

/** Type of a field with fields of its own, and the version that brought it where 16.0 does not have it yet. */
type Known = readonly [type?: string | undefined, since?: string];

/**
 * What queries may use of GitLab. Sources: docs.gitlab.com, GraphQL reference; app/graphql/types of gitlabhq before 16.1 for what needs no version;
 * docs.gitlab.com, "Dashboard for Kubernetes", for agent and namespace of an environment (each behind a flag in the version that is named).
 */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Known>>>> = {
  Query: { currentUser: ["User"], project: ["Project"], projects: ["ProjectConnection"] },
  User: { username: [], name: [] },
  Project: { name: [], fullPath: [], environment: ["Environment"], environments: ["EnvironmentConnection"], repository: ["Repository"] },
  ProjectConnection: { nodes: ["Project"], pageInfo: ["PageInfo"] },
  PageInfo: { hasNextPage: [], endCursor: [] },
  EnvironmentConnection: { nodes: ["Environment"], pageInfo: ["PageInfo"] },
  Environment: {
    id: [],
    name: [],
    slug: [],
    tier: [],
    state: [],
    externalUrl: [],
    lastDeployment: ["Deployment"],
    clusterAgent: ["ClusterAgent", "16.1"],
    kubernetesNamespace: [undefined, "16.2"],
  },
  ClusterAgent: {
    id: [],
    name: [],
    project: ["Project"],
    connections: ["ConnectedAgentConnection"],
    tokens: ["ClusterAgentTokenConnection"],
  },
  ConnectedAgentConnection: { nodes: ["ConnectedAgent"] },
  ConnectedAgent: { connectedAt: [] },
  ClusterAgentTokenConnection: { nodes: ["ClusterAgentToken"] },
  ClusterAgentToken: { lastUsedAt: [] },
  Deployment: {
    iid: [],
    ref: [],
    tag: [],
    sha: [],
    status: [],
    createdAt: [],
    finishedAt: [],
    commit: ["Commit"],
    triggerer: ["User"],
    job: ["CiJob"],
  },
  Commit: { sha: [], title: [], webUrl: [], authorName: [] },
  CiJob: { name: [], webPath: [] },
  Repository: { blobs: ["RepositoryBlobConnection"], tree: ["Tree"] },
  RepositoryBlobConnection: { nodes: ["RepositoryBlob"] },
  RepositoryBlob: { path: [], size: [], rawTextBlob: [] },
  Tree: { lastCommit: ["Commit"] },
};

/** Fields of a query as "<type>.<field>"; a field that the table does not have is of type "?". */
function fieldsOf(query: string): readonly string[] {
  const tokens: readonly string[] = query.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, " ").match(/[A-Za-z_]\w*|[{}]/g) ?? [];
  const found: string[] = [];
  const types: string[] = [];
  let next = /^\s*mutation/.test(query) ? "Mutation" : "Query";
  for (const token of tokens.slice(tokens.indexOf("{"))) {
    if (token === "{") types.push(next);
    else if (token === "}") types.pop();
    else {
      const type = types.at(-1) ?? "?";
      found.push(`${type}.${token}`);
      next = FIELDS[type]?.[token]?.[0] ?? "?";
    }
  }
  return found;
}

const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".ts") && !name.endsWith("test.ts"));
const NAMED = /`(?:query|mutation) (\w+)/g;

/** Queries by file: a file with a query that is not listed here fails. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "environment-query.ts": ENVIRONMENT_QUERIES,
  "query-blob.ts": BLOB_QUERIES,
  "query-commit.ts": COMMIT_QUERIES,
};

test.each(files)("%s lists its queries in QUERIES, and each of their fields has a version", (file) => {
  const queries = QUERIES[file] ?? [];
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const names = new Set([...source.matchAll(NAMED)].map(([, name]) => name));
  expect(new Set(queries.map((query) => /^(?:query|mutation) (\w+)/.exec(query)?.[1]))).toEqual(names);
  const unknown = queries.flatMap(fieldsOf).filter((field) => {
    const [type = "", name = ""] = field.split(".");
    return FIELDS[type]?.[name] === undefined;
  });
  expect(unknown).toEqual([]);
});

test("a field that GitLab 16.0 lacks is optional: without it the queries are of use", () => {
  const later = Object.entries(FIELDS).flatMap(([type, fields]) =>
    Object.entries(fields).flatMap(([name, [, since]]) => (since === undefined ? [] : [`${type}.${name}` as OptionalField])),
  );
  const instance = new InstanceFields(new ManualClock());
  expect(later.length).toBeGreaterThan(0);
  for (const field of later)
    expect([field, instance.has(field), instance.miss([field]), instance.has(field)]).toEqual([field, true, true, false]);
});

test("a field without a version is found, at any depth", () => {
  expect(
    fieldsOf(
      "query A($a: ID!) { project(fullPath: $a) { name environment(name: $b) { newField lastDeployment(status: SUCCESS) { other } } } }",
    ),
  ).toEqual([
    "Query.project",
    "Project.name",
    "Project.environment",
    "Environment.newField",
    "Environment.lastDeployment",
    "Deployment.other",
  ]);
});
