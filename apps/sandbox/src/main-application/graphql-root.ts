import { isAgentVisible } from "./agent-access.ts";
import type { Application } from "./application.ts";
import type { ConnectedAgents } from "./connected-agents.ts";
import { agentMutations } from "./agent-mutations.ts";
import { pageOf } from "./connection-page.ts";
import { deploymentNode } from "./deployment-node.ts";
import { settingsMutations, settingsOfEnvironment, settingsOfProject } from "./graphql-settings.ts";
import type { Agent, AgentTokenUse, Environment, Project, User } from "./world.ts";

/** A question for files names a few. */
const MAX_PATHS = 20;

interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** The root value of one query: everything is seen as `user` sees it. Names are those of the schema; graphql-js calls the functions. */
export function graphqlRoot(application: Application, user: User): Record<string, unknown> {
  const app = { ...application, connectedAgents: cached(application.connectedAgents) };
  const readable = (project: Project | undefined): project is Project => project !== undefined && isReadable(project, user);
  return {
    ...agentMutations(app.world, user, (agent) => agentNode(app, agent, user)),
    currentUser: { id: gid("User", user.id), username: user.username, name: user.name },
    project: ({ fullPath }: { fullPath: string }) => {
      const project = app.world.projectByPath(fullPath);
      return readable(project) ? projectNode(app, project, user) : null;
    },
    projects: (page: PageArguments) =>
      pageOf(
        app.world.projects.filter(readable).map((project) => projectNode(app, project, user)),
        page,
      ),
    ...settingsMutations(app, user),
  };
}

function isReadable(project: Project, user: User): boolean {
  return project.members.has(user.id);
}

function projectNode(app: Application, project: Project, user: User): Record<string, unknown> {
  const mayReadCode = project.members.get(user.id) !== "guest";
  const nodeOf = (environment: Environment): Record<string, unknown> => environmentNode(app, environment, { project, user, mayReadCode });
  const environments = (): readonly Environment[] => app.world.environments.filter((environment) => environment.projectId === project.id);
  const agents = (): readonly Agent[] =>
    app.world.agents.filter((agent) => agent.projectId === project.id && isAgentVisible(app.world, agent, user));
  return {
    id: gid("Project", project.id),
    name: project.name,
    fullPath: project.fullPath,
    webUrl: `${app.externalUrl}/${project.fullPath}`,
    environment: ({ name }: { name?: string | null }) => {
      const found = environments().find((environment) => environment.name === name);
      return found ? nodeOf(found) : null;
    },
    clusterAgent: ({ name }: { name: string }) => {
      const agent = agents().find((each) => each.name === name);
      return agent ? agentNode(app, agent, user) : null;
    },
    clusterAgents: (page: PageArguments) =>
      pageOf(
        agents().map((agent) => agentNode(app, agent, user)),
        page,
      ),
    userPermissions: { adminProject: project.members.get(user.id) === "maintainer" },
    environments: ({ search, states, ...page }: PageArguments & { search?: string | null; states?: readonly string[] | null }) =>
      pageOf(
        environments()
          .filter((environment) => environment.name.includes(search ?? "") && isInState(environment, states ?? []))
          .map(nodeOf),
        page,
      ),
    // Guests of a private project may see that it is there, not its code.
    repository: mayReadCode
      ? {
          blobs: (query: BlobsQuery) => blobsNode(app, project, query),
          rootRef: "main",
          tree: ({ path, ref }: { path?: string | null; ref?: string | null }) =>
            path ? lastCommitNode(app, project, path) : treeNode(app, project, ref ?? ""),
        }
      : null,
    ...settingsOfProject(app, project, { user, agentNode: (agent) => agentNode(app, agent, user) }),
  };
}

const STATES: readonly string[] = ["available", "stopping", "stopped"];

/** @throws for a state that there is not, as the main application does */
function isInState({ state = "available" }: Environment, states: readonly string[]): boolean {
  if (states.some((each) => !STATES.includes(each))) throw new Error("Requested states are invalid");
  return states.length === 0 || states.includes(state);
}

interface BlobsQuery {
  readonly paths: readonly string[];
  readonly ref?: string | null;
}

async function blobsNode(app: Application, { fullPath }: Project, { paths, ref }: BlobsQuery): Promise<Record<string, unknown>> {
  const found = await Promise.all(
    paths.slice(0, MAX_PATHS).map(async (path) => {
      const content = ref ? await app.readBlob(fullPath, { path, ref }) : await app.readFile(fullPath, path);
      return content === undefined ? [] : [{ path, size: String(content.length), rawTextBlob: textOf(content) }];
    }),
  );
  return { nodes: found.flat() };
}

async function treeNode(app: Application, { fullPath }: Project, ref: string): Promise<Record<string, unknown> | null> {
  const commit = await app.readCommit(fullPath, ref);
  return commit === undefined ? null : { lastCommit: { ...commit, webUrl: `${app.externalUrl}/${fullPath}/-/commit/${commit.sha}` } };
}

async function lastCommitNode(app: Application, project: Project, path: string): Promise<Record<string, unknown> | null> {
  const sha = await app.lastCommitOf(project.fullPath, path);
  return sha === undefined ? null : ((await treeNode(app, project, sha)) ?? { lastCommit: { sha } });
}

/** What has a NUL is no text; what is no UTF-8 is made so, as the main application does. */
function textOf(content: Buffer): string | null {
  return content.includes(0) ? null : content.toString("utf8");
}

function environmentNode(
  app: Application,
  environment: Environment,
  seen: { readonly project: Project; readonly user: User; readonly mayReadCode: boolean },
): Record<string, unknown> {
  const deployment = app.world.lastDeployment(environment.id);
  const agent = app.world.agent(environment.agentId);
  return {
    id: gid("Environment", environment.id),
    name: environment.name,
    slug: environment.slug,
    tier: environment.tier,
    state: environment.state ?? "available",
    externalUrl: null,
    kubernetesNamespace: environment.namespace,
    clusterAgent: agent && isAgentVisible(app.world, agent, seen.user) ? agentNode(app, agent, seen.user) : null,
    ...settingsOfEnvironment(environment, seen.project, seen.user),
    // Only deployments that succeeded are kept.
    lastDeployment: ({ status }: { status?: string | null }) =>
      deployment && (status ?? "SUCCESS") === "SUCCESS" ? deploymentNode(app, { deployment, ...seen }) : null,
  };
}

function agentNode(app: Application, agent: Agent, user: User): Record<string, unknown> {
  const project = app.world.project(agent.projectId);
  return {
    id: gid("Clusters::Agent", agent.id),
    name: agent.name,
    // A user of a project that shares the agent cannot see where it is configured (`authorize: :read_project` of `Types::Clusters::AgentType`).
    project: project && isReadable(project, user) ? { name: project.name, fullPath: project.fullPath } : null,
    connections: async () => {
      const connected = await app.connectedAgents.connectedAt(agent.id);
      return { nodes: connected.map((at) => ({ connectedAt: at.toISOString() })) };
    },
    createdAt: agent.createdAt?.toISOString() ?? null,
    tokens: () => ({ nodes: app.world.agentTokens(agent.id).map(tokenNode) }),
  };
}

function tokenNode({ id, name, createdAt, createdBy, lastUsedAt }: AgentTokenUse): Record<string, unknown> {
  return {
    id: gid("Clusters::AgentToken", id),
    name,
    createdAt: createdAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdByUser: createdBy ? { username: createdBy.username, name: createdBy.name } : null,
  };
}

/** A query for a thousand environments queries kas once about their agent, as the main application does. */
function cached(inner: ConnectedAgents): ConnectedAgents {
  const answers = new Map<number, ReturnType<ConnectedAgents["connectedAt"]>>();
  return {
    connectedAt: (agentId) => {
      const answer = answers.get(agentId) ?? inner.connectedAt(agentId);
      answers.set(agentId, answer);
      return answer;
    },
  };
}

function gid(type: string, id: number): string {
  return `gid://gitlab/${type}/${id}`;
}
