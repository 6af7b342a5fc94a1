import type { CommittedFile } from "../gitaly/commit-file.ts";
import { authorizedAgents, cumulativeRoles } from "./agent-access.ts";
import type { Application } from "./application.ts";
import type { Environment, Project, User } from "./world.ts";

/** The part of the schema with which settings of environments are read and written. */
export const SETTINGS_SCHEMA = `
enum CommitActionMode { CREATE DELETE MOVE UPDATE CHMOD }

type EnvironmentPermissions { updateEnvironment: Boolean! stopEnvironment: Boolean! destroyEnvironment: Boolean! }

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

extend type Mutation {
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

/** Fields of an environment that settings read. All environments are protected: only maintainers change them. */
export function settingsOfEnvironment(environment: Environment, project: Project, user: User): Record<string, unknown> {
  const isMaintainer = project.members.get(user.id) === "maintainer";
  return {
    fluxResourcePath: environment.fluxResourcePath ?? null,
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
      world.removeEnvironment(environment.id);
      return { errors: [] };
    },
    commitCreate: ({ input }: { input: CommitInput }) => commitAs(app, user, input),
  };
}

async function commitAs(app: Application, user: User, input: CommitInput): Promise<unknown> {
  const project = app.world.projectByPath(input.projectPath);
  const role = project?.members.get(user.id);
  const [action] = input.actions;
  if (!project || !cumulativeRoles(role).includes("developer")) throw new Error(NO_PERMISSION);
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
  const agent = authorizedAgents(app.world, project, "user_access").find(
    ({ agent: { id } }) => clusterAgentId === `gid://gitlab/Clusters::Agent/${id}`,
  )?.agent;
  if (typeof clusterAgentId === "string" && agent === undefined)
    return { errors: ["Unauthorized to access the cluster agent in this project"] };
  return {
    ...(clusterAgentId !== undefined && { agentId: agent?.id ?? 0 }),
    ...(kubernetesNamespace !== undefined && { namespace: kubernetesNamespace ?? "" }),
    ...(fluxResourcePath !== undefined && { fluxResourcePath: fluxResourcePath ?? "" }),
    ...(tier && { tier }),
  };
}
