import { readdirSync, readFileSync } from "node:fs";

import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { QUERIES as AGENT_CHANGES } from "./change-agents.ts";
import { QUERIES as ENVIRONMENT_QUERIES } from "./environment-query.ts";
import { InstanceFields, type OptionalField } from "./instance-fields.ts";
import { QUERIES as AGENT_QUERIES } from "./query-agents.ts";
import { QUERIES as BLOB_QUERIES } from "./query-blob.ts";
import { QUERIES as COMMIT_QUERIES } from "./query-commit.ts";
import { QUERIES as GROUP_QUERIES } from "./query-groups.ts";
import { QUERIES as MANY_QUERIES } from "./query-many-environments.ts";
import { QUERIES as SETTINGS_QUERIES } from "./query-settings.ts";
import { QUERIES as CAPABILITY_QUERIES } from "./settings-capabilities.ts";
import { QUERIES as SETTINGS_CHANGES } from "./write-settings.ts";

/** Type of a field with fields of its own, and the version that brought it where 16.0 does not have it yet. */
type Known = readonly [type?: string | undefined, since?: string];

/**
 * What queries may use of GitLab. Sources: docs.gitlab.com, GraphQL reference; app/graphql/types of gitlabhq before 16.1 for what needs no version;
 * docs.gitlab.com, "Dashboard for Kubernetes", for agent and namespace of an environment (each behind a flag in the version that is named).
 */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Known>>>> = {
  Query: {
    currentUser: ["User"],
    project: ["Project"],
    projects: ["ProjectConnection"],
    group: ["Group"],
    groups: ["GroupConnection"],
    __type: ["__Type"],
  },
  // Mutations and fields of settings are requested only where introspection has found them (`settings-capabilities.ts`).
  Mutation: {
    createClusterAgent: ["Payload"],
    clusterAgentTokenCreate: ["Payload"],
    clusterAgentTokenRevoke: ["Payload"],
    clusterAgentDelete: ["Payload"],
    environmentUpdate: ["Payload"],
    environmentCreate: ["Payload"],
    environmentStop: ["Payload"],
    environmentDelete: ["Payload"],
    commitCreate: ["Payload"],
  },
  Payload: { errors: [], clusterAgent: ["ClusterAgent"], secret: [], commit: ["Commit"] },
  __Type: { fields: ["__Field"], inputFields: ["__Field"] },
  __Field: { name: [] },
  User: { username: [], name: [] },
  Group: { name: [], fullPath: [], projects: ["ProjectConnection"] },
  GroupConnection: { nodes: ["Group"], pageInfo: ["PageInfo"] },
  Project: {
    id: [],
    name: [],
    fullPath: [],
    environment: ["Environment"],
    environments: ["EnvironmentConnection"],
    repository: ["Repository"],
    clusterAgent: ["ClusterAgent"],
    clusterAgents: ["ClusterAgentConnection"],
    userPermissions: ["ProjectPermissions"],
    userAccessAuthorizedAgents: ["AgentAuthorizationConnection"],
    ciAccessAuthorizedAgents: ["AgentAuthorizationConnection"],
  },
  ProjectPermissions: { adminProject: [], pushCode: [], createDeployment: [] },
  AgentAuthorizationConnection: { nodes: ["AgentAuthorization"], pageInfo: ["PageInfo"] },
  AgentAuthorization: { agent: ["ClusterAgent"] },
  ClusterAgentConnection: { nodes: ["ClusterAgent"], pageInfo: ["PageInfo"] },
  ProjectConnection: { nodes: ["Project"], pageInfo: ["PageInfo"] },
  PageInfo: { hasNextPage: [], endCursor: [] },
  EnvironmentConnection: { nodes: ["Environment"], pageInfo: ["PageInfo"] },
  Environment: {
    id: [],
    name: [],
    slug: [],
    tier: [],
    state: [],
    autoStopAt: [],
    externalUrl: [],
    lastDeployment: ["Deployment"],
    clusterAgent: ["ClusterAgent", "16.1"],
    kubernetesNamespace: [undefined, "16.2"],
    fluxResourcePath: [],
    userPermissions: ["EnvironmentPermissions"],
  },
  EnvironmentPermissions: { updateEnvironment: [], stopEnvironment: [], destroyEnvironment: [] },
  ClusterAgent: {
    id: [],
    name: [],
    createdAt: [],
    project: ["Project"],
    connections: ["ConnectedAgentConnection"],
    tokens: ["ClusterAgentTokenConnection"],
  },
  ConnectedAgentConnection: { nodes: ["ConnectedAgent"] },
  ConnectedAgent: { connectedAt: [] },
  ClusterAgentTokenConnection: { nodes: ["ClusterAgentToken"] },
  ClusterAgentToken: { id: [], name: [], createdAt: [], lastUsedAt: [], createdByUser: ["User"] },
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
  Repository: { rootRef: [], blobs: ["RepositoryBlobConnection"], tree: ["Tree"] },
  RepositoryBlobConnection: { nodes: ["RepositoryBlob"] },
  RepositoryBlob: { path: [], size: [], rawTextBlob: [] },
  Tree: { lastCommit: ["Commit"] },
};

/** Fields of a query as "<type>.<field>"; a field that the table does not have is of type "?". */
function fieldsOf(query: string): readonly string[] {
  const tokens: readonly string[] =
    query
      .replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, " ")
      .replaceAll(/\w+\s*:/g, " ")
      .match(/[A-Za-z_]\w*|[{}]/g) ?? [];
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
  "change-agents.ts": AGENT_CHANGES,
  "environment-query.ts": ENVIRONMENT_QUERIES,
  "query-agents.ts": AGENT_QUERIES,
  "query-blob.ts": BLOB_QUERIES,
  "query-commit.ts": COMMIT_QUERIES,
  "query-groups.ts": GROUP_QUERIES,
  "query-many-environments.ts": MANY_QUERIES,
  "query-settings.ts": SETTINGS_QUERIES,
  "settings-capabilities.ts": CAPABILITY_QUERIES,
  "write-settings.ts": SETTINGS_CHANGES,
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
