import type { Application } from "./application.ts";
import { pageOf } from "./connection-page.ts";
import type { Agent, Environment, Project, User } from "./world.ts";

interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** The root value of one query: everything is seen as `user` sees it. Names are those of the schema; graphql-js calls the functions. */
export function graphqlRoot(app: Application, user: User): Record<string, unknown> {
  const readable = (project: Project | undefined): project is Project => project?.members.has(user.id) === true;
  return {
    currentUser: { id: gid("User", user.id), username: user.username, name: user.name },
    project: ({ fullPath }: { fullPath: string }) => {
      const project = app.world.projectByPath(fullPath);
      return readable(project) ? projectNode(app, project) : null;
    },
    projects: (page: PageArguments) =>
      pageOf(
        app.world.projects.filter(readable).map((project) => projectNode(app, project)),
        page,
      ),
  };
}

function projectNode(app: Application, project: Project): Record<string, unknown> {
  const environments = (): readonly Environment[] => app.world.environments.filter((environment) => environment.projectId === project.id);
  return {
    id: gid("Project", project.id),
    name: project.name,
    fullPath: project.fullPath,
    environment: ({ name }: { name?: string | null }) => {
      const found = environments().find((environment) => environment.name === name);
      return found ? environmentNode(app, found) : null;
    },
    environments: ({ search, ...page }: PageArguments & { search?: string | null }) =>
      pageOf(
        environments()
          .filter((environment) => environment.name.includes(search ?? ""))
          .map((environment) => environmentNode(app, environment)),
        page,
      ),
  };
}

function environmentNode(app: Application, environment: Environment): Record<string, unknown> {
  const agent = app.world.agent(environment.agentId);
  return {
    id: gid("Environment", environment.id),
    name: environment.name,
    slug: environment.slug,
    tier: environment.tier,
    state: "available",
    externalUrl: null,
    kubernetesNamespace: environment.namespace,
    clusterAgent: agent ? agentNode(app, agent) : null,
  };
}

function agentNode(app: Application, agent: Agent): Record<string, unknown> {
  const project = app.world.project(agent.projectId);
  return {
    id: gid("Clusters::Agent", agent.id),
    name: agent.name,
    project: project ? { name: project.name, fullPath: project.fullPath } : null,
    connections: async () => {
      const connected = await app.connectedAgents.connectedAt(agent.id);
      return { nodes: connected.map((at) => ({ connectedAt: at.toISOString() })) };
    },
    tokens: () => ({ nodes: [{ lastUsedAt: app.world.agentTokenLastUsed(agent.id)?.toISOString() ?? null }] }),
  };
}

function gid(type: string, id: number): string {
  return `gid://gitlab/${type}/${id}`;
}
