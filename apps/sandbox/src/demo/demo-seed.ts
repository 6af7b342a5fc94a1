import { randomBytes } from "node:crypto";

import type { Environment, Project, Role, WorldSeed } from "../main-application/world.ts";
import { organization } from "../organization/organization.ts";
import { demoAgents } from "./demo-agents.ts";
import { environmentIn, projectEnvironments, projectOf } from "./project-environments.ts";

const DEMO_ENVIRONMENTS: readonly Environment[] = [
  { id: 1, projectId: 1, name: "production", slug: "production", tier: "PRODUCTION", namespace: "production", agentId: 1 },
  { id: 2, projectId: 1, name: "staging", slug: "staging", tier: "STAGING", namespace: "staging", agentId: 1 },
  { id: 3, projectId: 1, name: "preview", slug: "preview", tier: "DEVELOPMENT", namespace: "preview", agentId: 1 },
  { id: 4, projectId: 1, name: "shop", slug: "shop", tier: "OTHER", namespace: "shop", agentId: 2 },
  { id: 5, projectId: 4, name: "site", slug: "site", tier: "OTHER", namespace: "site", agentId: 2 },
];

const FIRST_COLLEAGUE_ID = 101;

/** Where the maintainer alone is a member: who may use an agent of a foreign cluster. */
export const OPERATORS_PATH = "group/operators";

/** An application project whose environment the deployment project's agent deploys. */
export const SITE_PATH = "group/site";

/** What the demo world is to have. */
export interface DemoSeedOptions {
  /** No environments yet, and a second project whose only member is the maintainer. */
  readonly foreignCluster: boolean;
  /** So many more developers of the project. */
  readonly colleagues: number;
  /** The second agent is of a deployment project, whose only member is the maintainer; with it come a second application project and an organisation. */
  readonly agents: number;
  /** Names of further environments, each deployed from a project of its own. Default: none. */
  readonly manifestProjects?: readonly string[];
}

/** Users, projects, agents and a running CI job with new passwords and tokens. */
export function createDemoSeed(options: DemoSeedOptions): WorldSeed {
  const user = (id: number, username: string, name: string) => ({
    id,
    username,
    name,
    password: secret(9),
    personalAccessToken: `glpat-${secret(15)}`,
  });
  const colleagues = Array.from({ length: options.colleagues }, (_, index) =>
    user(FIRST_COLLEAGUE_ID + index, `colleague-${index + 1}`, `Colleague ${index + 1}`),
  );
  const project = (id: number, fullPath: string, members: readonly [number, Role][]): Project => ({
    id,
    name: fullPath.split("/").at(-1) ?? "",
    fullPath,
    groupId: 1,
    members: new Map(members),
  });
  const app = project(1, "group/app", [
    [1, "maintainer"],
    [2, "developer"],
    [3, "reporter"],
    ...colleagues.map(({ id }): [number, Role] => [id, "developer"]),
  ]);
  const operators = project(2, OPERATORS_PATH, [[1, "maintainer"]]);
  const agents = demoAgents(options.agents);
  const deployment = agents
    .filter(({ projectId }) => projectId !== app.id)
    .flatMap((agent) => [
      project(agent.projectId, agent.project, [[1, "maintainer"]]),
      project(4, SITE_PATH, [
        [1, "maintainer"],
        [2, "developer"],
      ]),
    ]);
  const deployed = projectEnvironments(options.manifestProjects ?? []);
  // Its groups share the second agent.
  const acme = deployment.length > 0 && !options.foreignCluster ? organization(Date.now()) : undefined;
  const environments = DEMO_ENVIRONMENTS.filter(({ agentId }) => agents.some(({ id }) => id === agentId));
  return {
    users: [
      user(1, "maintainer", "Mara Maintainer"),
      user(2, "developer", "Devi Developer"),
      user(3, "outsider", "Otto Outsider"),
      ...colleagues,
    ],
    groups: [{ id: 1, name: "group", fullPath: "group", members: new Map() }, ...(acme?.groups ?? [])],
    projects: [
      app,
      ...(options.foreignCluster ? [operators] : deployment),
      ...(acme?.projects ?? []),
      ...deployed.map((each) => projectOf(each, app.members)),
    ],
    agents: [
      ...agents.map(({ id, name, projectId }) => ({ id, name, projectId, token: `glagent-${secret(30)}` })),
      ...(acme?.agents ?? []),
    ],
    environments: options.foreignCluster ? [] : [...environments, ...(acme?.environments ?? []), ...deployed.map(environmentIn)],
    ciJobs: [
      {
        id: 1,
        pipelineId: 1,
        // A job of the agent's own project could act with the rights of the user's kubeconfig.
        projectId: options.foreignCluster ? operators.id : app.id,
        userId: 1,
        token: `glcbt-${secret(15)}`,
        environment: { name: "production", slug: "production", tier: "production" },
        isOnProtectedBranch: true,
      },
    ],
  };
}

/** The environments of a foreign cluster: one per namespace. */
export function environmentsOf(namespaces: readonly string[]): readonly Environment[] {
  return namespaces.map((namespace, index) => ({
    id: index + 1,
    projectId: 1,
    name: namespace,
    slug: namespace,
    tier: "OTHER",
    namespace,
    agentId: 1,
  }));
}

/** The agent's configuration for a foreign cluster: the maintainer acts with the agent's own rights. */
export const FOREIGN_CONFIGURATION = `# The maintainer acts with the rights of the kubeconfig; no other user has access.
user_access:
  access_as:
    agent: {}
  projects:
    - id: ${OPERATORS_PATH}
`;

function secret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}
