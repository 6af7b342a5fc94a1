import { cumulativeRoles, userAccessOf } from "./agent-access.ts";
import type { Application } from "./application.ts";
import { allowedAgentsOf } from "./ci-access.ts";
import { bearerOf, jsonBodyOf, jsonReply, type HttpReply, type HttpRequest } from "./http-exchange.ts";
import { isKasRequest } from "./kas-request.ts";
import type { Agent, Project, User } from "./world.ts";

const NO_CONTENT: HttpReply = { status: 204 };
const BASE = "/api/v4/internal/kubernetes/";

/**
 * The REST endpoints kas calls, below `/api/v4`.
 *
 * @returns `undefined` when the path is none of them
 */
export async function internalApi(app: Application, request: HttpRequest): Promise<HttpReply | undefined> {
  if (request.path === "/api/v4/job/allowed_agents") return allowedAgents(app, request);
  if (!request.path.startsWith(BASE)) return undefined;
  if (!(await isKasRequest(request, app.kasSecret))) return jsonReply(401, { message: "401 Unauthorized" });
  const call = `${request.method} ${request.path.slice(BASE.length)}`;
  switch (call) {
    case "GET agent_info":
      return withAgent(app, request, (agent) => agentInfo(app, agent));
    case "GET project_info":
      return withAgent(app, request, (agent) => projectInfo(app, agent, request.query.get("id") ?? ""));
    case "GET verify_project_access":
      return withAgent(app, request, (agent) =>
        visibleProject(app, agent, request.query.get("id") ?? "") ? NO_CONTENT : notFound("Project"),
      );
    case "POST agent_configuration":
      return agentConfiguration(app, jsonBodyOf(request));
    case "POST authorize_proxy_user":
      return authorizeProxyUser(app, jsonBodyOf(request));
    case "POST usage_metrics":
    case "POST agent_events":
      return NO_CONTENT;
    case "GET receptive_agents":
      return jsonReply(200, { agents: [] });
    default:
      return jsonReply(404, { error: "404 Not Found" });
  }
}

function withAgent(app: Application, request: HttpRequest, answer: (agent: Agent) => HttpReply): HttpReply {
  const token = bearerOf(request);
  const agent = token === undefined ? undefined : app.world.agentByToken(token, new Date());
  return agent ? answer(agent) : jsonReply(401, { message: "401 Unauthorized" });
}

function agentInfo(app: Application, agent: Agent): HttpReply {
  const project = app.world.project(agent.projectId);
  if (!project) return notFound("Project");
  return jsonReply(200, { agent_id: agent.id, agent_name: agent.name, ...repositoryOf(app, project) });
}

function projectInfo(app: Application, agent: Agent, id: string): HttpReply {
  const project = visibleProject(app, agent, id);
  return project ? jsonReply(200, repositoryOf(app, project)) : notFound("Project");
}

/** An agent reads its own project and public ones; every other one is hidden. */
function visibleProject(app: Application, agent: Agent, id: string): Project | undefined {
  const project = /^\d+$/.test(id) ? app.world.project(Number(id)) : app.world.projectByPath(id);
  return project?.id === agent.projectId || project?.visibility === "public" ? project : undefined;
}

function repositoryOf(app: Application, project: Project): Record<string, unknown> {
  return {
    project_id: project.id,
    gitaly_info: { address: app.gitaly.address, token: app.gitaly.token, features: { "gitaly-feature-sandbox": "true" } },
    gitaly_repository: {
      storage_name: "default",
      relative_path: `${project.fullPath}.git`,
      gl_repository: `project-${project.id}`,
      gl_project_path: project.fullPath,
    },
    default_branch: "main",
  };
}

function agentConfiguration(app: Application, body: unknown): HttpReply {
  const { agent_id: id, agent_config: configuration } = fieldsOf(body);
  const agent = app.world.agent(Number(id));
  if (!agent) return notFound("Agent");
  if (typeof configuration !== "object" || configuration === null) return jsonReply(400, { error: "agent_config is invalid" });
  app.world.setConfiguration(agent.id, configuration);
  return NO_CONTENT;
}

function authorizeProxyUser(app: Application, body: unknown): HttpReply {
  const fields = fieldsOf(body);
  if (typeof fields["access_key"] !== "string") return jsonReply(400, { error: "access_key is missing" });
  const user = userOf(app, { type: fields["access_type"], key: fields["access_key"], csrfToken: fields["csrf_token"] });
  if (!user) return jsonReply(401, { message: "401 Unauthorized" });
  const agent = app.world.agent(Number(fields["agent_id"]));
  if (!agent) return notFound("Agent");
  const accessAs = userAccessOf(app.world, agent.id, user);
  if (!accessAs) return jsonReply(403, { message: "403 Forbidden" });
  return jsonReply(200, {
    agent: { id: agent.id, config_project: { id: agent.projectId } },
    user: { id: user.id, username: user.username },
    access_as: accessAs,
  });
}

function userOf(app: Application, access: { type: unknown; key: string; csrfToken: unknown }): User | undefined {
  if (access.type === "personal_access_token") return app.world.userByToken(access.key);
  if (access.type !== "session_cookie" || typeof access.csrfToken !== "string") return undefined;
  const session = app.sessions.findByKasCookie(access.key);
  if (!session || !app.sessions.isCsrfToken(session, access.csrfToken)) return undefined;
  return app.world.users.find((user) => user.id === session.userId);
}

function allowedAgents(app: Application, request: HttpRequest): HttpReply {
  const token = request.headers.get("job-token");
  const job = app.world.ciJobs.find((candidate) => candidate.token === token);
  const project = job && app.world.project(job.projectId);
  const user = job && app.world.users.find((candidate) => candidate.id === job.userId);
  if (!job || !project || !user) return jsonReply(401, { message: "401 Unauthorized" });
  return jsonReply(200, {
    allowed_agents: allowedAgentsOf(app.world, job),
    job: { id: job.id },
    pipeline: { id: job.pipelineId },
    project: { id: project.id, groups: [{ id: project.groupId }] },
    user: { id: user.id, username: user.username, roles_in_project: cumulativeRoles(project.members.get(user.id)) },
    environment: job.environment && { slug: job.environment.slug, tier: job.environment.tier },
  });
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  // A JSON object: every key may be read, whatever it holds is unknown.
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}

function notFound(what: string): HttpReply {
  return jsonReply(404, { message: `404 ${what} Not Found` });
}
