import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Requests by kind. */
export interface RequestCounts {
  agentInfo: number;
  users: number;
  refused: number;
}

/** Where the repositories of agents are. */
export interface RepositoriesAt {
  /** Of a Gitaly: "tcp://127.0.0.1:port". */
  readonly gitaly: string;
  /** So many projects; agents belong to them in turn, agent 1 to `group/project`, agent 2 to `group/project-2`. */
  readonly projects: number;
}

const NO_REPOSITORY: RepositoriesAt = { gitaly: "tcp://127.0.0.1:1", projects: 1 };

/**
 * A main application that knows agents and users by their tokens alone: `glagent-<id>` is agent <id>, `user-<id>` is a user who may use
 * every agent as the agent itself, `member-<id>` one who may as himself (`gitlab:user:member-<id>`). An agent reads its own project and no other. Everybody else is rejected. Serves only what kas requests.
 */
export interface MainApplicationStandIn {
  readonly address: string;
  readonly requests: RequestCounts;
  /** How long each answer takes, in milliseconds. */
  delayMs: number;
  close(): Promise<void>;
}

/** Starts it on a free port. @param at default: all agents are of one project, whose Gitaly does not answer */
export async function startMainApplicationStandIn(at = NO_REPOSITORY): Promise<MainApplicationStandIn> {
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => setTimeout(() => answer({ request, response, body, at }, standIn.requests), standIn.delayMs),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  const standIn: MainApplicationStandIn = {
    address: `http://127.0.0.1:${port}`,
    requests: { agentInfo: 0, users: 0, refused: 0 },
    delayMs: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly at: RepositoriesAt;
}

function answer({ request, response, body, at }: Exchange, counts: RequestCounts): void {
  const send = (status: number, value: unknown): void => {
    if (status === 401) counts.refused += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (path.endsWith("/agent_info") || path.endsWith("/project_info")) {
    const isAgent = path.endsWith("/agent_info");
    if (isAgent) counts.agentInfo += 1;
    const id = /^Bearer glagent-(\d+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (id === undefined) return send(401, {});
    const project = projectOf(Number(id), at);
    const projectId = new URL(request.url ?? "", "http://application").searchParams.get("id");
    const isReadable = isAgent || projectId === String(project.id) || projectId === project.path;
    return isReadable ? send(200, agentInfo(Number(id), at)) : send(404, {});
  }
  if (path.endsWith("/authorize_proxy_user")) {
    counts.users += 1;
    // kas writes this body; a request that lacks a field of it is rejected.
    const { agent_id: agent, access_key: key } = JSON.parse(body) as { agent_id?: number; access_key?: string };
    const [username, kind, id] = /^(user|member)-(\d+)$/.exec(key ?? "") ?? [];
    if (id === undefined || agent === undefined) return send(401, {});
    return send(200, {
      agent: { id: agent, config_project: { id: 1 } },
      user: { id: Number(id), username },
      access_as: kind === "user" ? { agent: {} } : { user: { projects: [{ id: 1, roles: ["developer"] }], groups: [] } },
    });
  }
  return send(path.endsWith("/allowed_agents") ? 401 : 404, {});
}

function projectOf(agentId: number, { projects }: RepositoriesAt): { readonly id: number; readonly path: string } {
  const id = ((agentId - 1) % projects) + 1;
  return { id, path: id === 1 ? "group/project" : `group/project-${id}` };
}

function agentInfo(agentId: number, at: RepositoriesAt): object {
  const { id, path } = projectOf(agentId, at);
  return {
    project_id: id,
    agent_id: agentId,
    agent_name: `agent-${agentId}`,
    gitaly_info: { address: at.gitaly, token: "", features: {} },
    gitaly_repository: { storage_name: "default", relative_path: `${path}.git`, gl_repository: `project-${id}`, gl_project_path: path },
    default_branch: "main",
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // A request without an encoding gives Buffers.
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
