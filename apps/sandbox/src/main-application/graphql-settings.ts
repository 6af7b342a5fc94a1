import type { CommittedFile } from "../gitaly/commit-file.ts";
import type { Application } from "./application.ts";
import { field, listOf } from "./configuration-field.ts";
import { pageOf } from "./connection-page.ts";
import type { Agent, Environment, Project, Role, User } from "./world.ts";

/** The part of the schema with which settings of environments are read and written. */
export const SETTINGS_SCHEMA = `
enum CommitActionMode { CREATE DELETE MOVE UPDATE CHMOD }

type ProjectPermissions { pushCode: Boolean! createDeployment: Boolean! }

type EnvironmentPermissions { updateEnvironment: Boolean! stopEnvironment: Boolean! destroyEnvironment: Boolean! }

type ClusterAgentAuthorization { agent: ClusterAgent }

type ClusterAgentAuthorizationConnection { nodes: [ClusterAgentAuthorization] pageInfo: PageInfo! }

input EnvironmentUpdateInput {
  id: ID! externalUrl: String tier: DeploymentTier clusterAgentId: ID kubernetesNamespace: String fluxResourcePath: String
}

input EnvironmentCreateInput {
  projectPath: ID! name: String! externalUrl: String tier: DeploymentTier clusterAgentId: ID kubernetesNamespace: String fluxResourcePath: String
}

input EnvironmentStopInput { id: ID! force: Boolean }

input EnvironmentDeleteInput { id: ID! }

input CommitAction { action: CommitActionMode! filePath: String! content: String lastCommitId: String }

input CommitCreateInput { projectPath: ID! branch: String! startBranch: String message: String! actions: [CommitAction!]! }

type EnvironmentPayload { errors: [String!]! }

type CommitCreatePayload { commit: Commit errors: [String!]! }

type Mutation {
  environmentUpdate(input: EnvironmentUpdateInput!): EnvironmentPayload
  environmentCreate(input: EnvironmentCreateInput!): EnvironmentPayload
  environmentStop(input: EnvironmentStopInput!): EnvironmentPayload
  environmentDelete(input: EnvironmentDeleteInput!): EnvironmentPayload
  commitCreate(input: CommitCreateInput!): CommitCreatePayload
}
`;

const NO_PERMISSION = "The resource that you are attempting to access does not exist or you don't have permission to perform this action";
/** Above all ids that the sandbox gives by itself. */
const FIRST_ID = 10_000;

interface EnvironmentInput {
  readonly externalUrl?: string | null;
  readonly tier?: Environment["tier"] | null;
  readonly clusterAgentId?: string | null;
  readonly kubernetesNamespace?: string | null;
  readonly fluxResourcePath?: string | null;
}

interface CommitInput {
  readonly projectPath: string;
  readonly branch: string;
  readonly startBranch?: string | null;
  readonly message: string;
  readonly actions: readonly {
    readonly action: string;
    readonly filePath: string;
    readonly content?: string | null;
    readonly lastCommitId?: string | null;
  }[];
}

/** Fields of a project that settings read. All environments are protected: only maintainers change them. */
export function settingsOfProject(
  app: Application,
  project: Project,
  { user, agentNode }: { readonly user: User; readonly agentNode: (agent: Agent) => unknown },
): Record<string, unknown> {
  const role = project.members.get(user.id);
  const listed = (section: "user" | "ci") => (page: { readonly first?: number | null; readonly after?: string | null }) =>
    pageOf(
      app.world.agents.filter((agent) => isShared(app, agent, { project, section })).map((agent) => ({ agent: agentNode(agent) })),
      page,
    );
  return {
    userPermissions: { pushCode: isAtLeastDeveloper(role), createDeployment: role === "maintainer" },
    userAccessAuthorizedAgents: listed("user"),
    ciAccessAuthorizedAgents: listed("ci"),
  };
}

/** Fields of an environment that settings read. */
export function settingsOfEnvironment(environment: Environment, project: Project, user: User): Record<string, unknown> {
  const isMaintainer = project.members.get(user.id) === "maintainer";
  return {
    fluxResourcePath: environment.fluxResourcePath ?? null,
    autoStopAt: environment.autoStopAt ?? null,
    userPermissions: { updateEnvironment: isMaintainer, stopEnvironment: isMaintainer, destroyEnvironment: isMaintainer },
  };
}

/** Mutations as `user`. */
export function settingsMutations(app: Application, user: User): Record<string, unknown> {
  const { world } = app;
  const owned = (gid: string): { readonly environment: Environment; readonly project: Project } => {
    const environment = world.environments.find(({ id }) => gid === `gid://gitlab/Environment/${id}`);
    const project = environment && world.project(environment.projectId);
    if (!environment || project?.members.get(user.id) !== "maintainer") throw new Error(NO_PERMISSION);
    return { environment, project };
  };
  return {
    environmentUpdate: ({ input: { id, ...input } }: { input: EnvironmentInput & { readonly id: string } }) => {
      const { environment, project } = owned(id);
      const changed = changedBy(app, project, input);
      if ("errors" in changed) return changed;
      world.putEnvironment({ ...environment, ...changed });
      return { errors: [] };
    },
    environmentCreate: ({
      input: { projectPath, name, ...input },
    }: {
      input: EnvironmentInput & { projectPath: string; name: string };
    }) => {
      const project = world.projectByPath(projectPath);
      if (project?.members.get(user.id) !== "maintainer") throw new Error(NO_PERMISSION);
      const changed = changedBy(app, project, input);
      if ("errors" in changed) return changed;
      if (!/^[A-Za-z0-9_/\\${}. -]+$/.test(name))
        return { errors: ["Name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces"] };
      if (world.environments.some((each) => each.projectId === project.id && each.name === name))
        return { errors: ["Name has already been taken"] };
      const id = Math.max(FIRST_ID, ...world.environments.map((each) => each.id)) + 1;
      const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      world.putEnvironment({ id, projectId: project.id, name, slug, tier: "OTHER", namespace: "", agentId: 0, ...changed });
      return { errors: [] };
    },
    environmentStop: ({ input: { id } }: { input: { readonly id: string } }) => {
      const { environment } = owned(id);
      world.putEnvironment({ ...environment, state: "stopped" });
      return { errors: [] };
    },
    environmentDelete: ({ input: { id } }: { input: { readonly id: string } }) => {
      const { environment } = owned(id);
      if (environment.state !== "stopped") return { errors: ["Environment must be stopped before it can be deleted"] };
      world.setEnvironments(world.environments.filter((each) => each.id !== environment.id));
      return { errors: [] };
    },
    commitCreate: ({ input }: { input: CommitInput }) => commitAs(app, user, input),
  };
}

async function commitAs(app: Application, user: User, input: CommitInput): Promise<unknown> {
  const project = app.world.projectByPath(input.projectPath);
  const role = project?.members.get(user.id);
  const [action] = input.actions;
  if (!project || !isAtLeastDeveloper(role)) throw new Error(NO_PERMISSION);
  if (action === undefined || input.actions.length > 1) return { commit: null, errors: ["The sandbox commits one file at a time"] };
  // The default branch is protected: maintainers push to it.
  if (input.branch === "main" && role !== "maintainer") return { commit: null, errors: ["You are not allowed to push into this branch"] };
  const file: CommittedFile = {
    branch: input.branch,
    startBranch: input.startBranch ?? undefined,
    path: action.filePath,
    content: action.content ?? "",
    message: input.message,
    author: user,
    lastCommitId: action.lastCommitId ?? undefined,
    isNew: action.action === "CREATE",
  };
  const result = await app.commitFile(project.fullPath, file);
  if ("sha" in result) {
    const webUrl = `${app.externalUrl}/${project.fullPath}/-/commit/${result.sha}`;
    return { commit: { sha: result.sha, title: input.message, authorName: user.name, webUrl }, errors: [] };
  }
  const errors = {
    "no-branch": `You can only create or edit files when you are on a branch`,
    changed: "You are attempting to update a file that has changed since you started editing it.",
    exists: "A file with this name already exists",
  };
  return { commit: null, errors: [errors[result.refused]] };
}

/** What is not named stays; null takes it away. */
function changedBy(
  app: Application,
  project: Project,
  input: EnvironmentInput,
): Partial<Environment> | { readonly errors: readonly string[] } {
  const { clusterAgentId, kubernetesNamespace, fluxResourcePath, tier } = input;
  const agent = app.world.agents.find(({ id }) => clusterAgentId === `gid://gitlab/Clusters::Agent/${id}`);
  if (typeof clusterAgentId === "string" && (agent === undefined || !isShared(app, agent, { project, section: "user" })))
    return { errors: ["Unauthorized to access the cluster agent in this project"] };
  return {
    ...(clusterAgentId !== undefined && { agentId: agent?.id ?? 0 }),
    ...(kubernetesNamespace !== undefined && { namespace: kubernetesNamespace ?? "" }),
    ...(fluxResourcePath !== undefined && { fluxResourcePath: fluxResourcePath ?? "" }),
    ...(tier && { tier }),
  };
}

/** Whether the configuration of an agent lists the project or a group of it; jobs of its own project need no list. */
function isShared(
  { world }: Application,
  agent: Agent,
  { project, section }: { readonly project: Project; readonly section: "user" | "ci" },
): boolean {
  const found = field(world.configuration(agent.id), `${section}_access`, `${section}Access`);
  const path = project.fullPath.toLowerCase();
  const lists = (name: string, matches: (id: string) => boolean): boolean =>
    listOf(found, name).some((entry) => {
      const id = field(entry, "id");
      return typeof id === "string" && matches(id.toLowerCase());
    });
  const isListed = lists("projects", (id) => id === path) || lists("groups", (id) => path.startsWith(`${id}/`));
  return isListed || (section === "ci" && agent.projectId === project.id);
}

function isAtLeastDeveloper(role: Role | undefined): boolean {
  return role === "developer" || role === "maintainer";
}
