import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How many questions of a kind were asked. */
export interface AskedCounts {
  agentInfo: number;
  users: number;
  refused: number;
}

/**
 * A main application that knows agents and users by their tokens alone: `glagent-<id>` is agent <id>, `user-<id>` is a user who may use
 * every agent as the agent itself. All
 * agents are of one project, and read no other. Everybody else is refused. Speaks only what kas asks.
 */
export interface MainApplicationStandIn {
  readonly address: string;
  readonly asked: AskedCounts;
  /** How long each answer takes, in milliseconds. */
  delayMs: number;
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function startMainApplicationStandIn(): Promise<MainApplicationStandIn> {
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => setTimeout(() => answer({ request, response, body }, standIn.asked), standIn.delayMs),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  const standIn: MainApplicationStandIn = {
    address: `http://127.0.0.1:${port}`,
    asked: { agentInfo: 0, users: 0, refused: 0 },
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
}

function answer({ request, response, body }: Exchange, asked: AskedCounts): void {
  const send = (status: number, value: unknown): void => {
    if (status === 401) asked.refused += 1;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (path.endsWith("/agent_info") || path.endsWith("/project_info")) {
    const isAgent = path.endsWith("/agent_info");
    if (isAgent) asked.agentInfo += 1;
    const id = /^Bearer glagent-(\d+)$/.exec(request.headers.authorization ?? "")?.[1];
    const isReadable = isAgent || /[?&]id=(?:1|group%2Fproject)$/.test(request.url ?? "");
    return id === undefined ? send(401, {}) : isReadable ? send(200, agentInfo(Number(id))) : send(404, {});
  }
  if (path.endsWith("/authorize_proxy_user")) {
    asked.users += 1;
    // kas writes this body; what is missing in it is refused.
    const { agent_id: agent, access_key: key } = JSON.parse(body) as { agent_id?: number; access_key?: string };
    const id = /^user-(\d+)$/.exec(key ?? "")?.[1];
    if (id === undefined || agent === undefined) return send(401, {});
    return send(200, {
      agent: { id: agent, config_project: { id: 1 } },
      user: { id: Number(id), username: `user-${id}` },
      access_as: { agent: {} },
    });
  }
  return send(path.endsWith("/allowed_agents") ? 401 : 404, {});
}

function agentInfo(id: number): object {
  return {
    project_id: 1,
    agent_id: id,
    agent_name: `agent-${id}`,
    gitaly_info: { address: "tcp://127.0.0.1:1", token: "", features: {} },
    gitaly_repository: { storage_name: "default", relative_path: "none.git", gl_repository: "project-1", gl_project_path: "group/project" },
    default_branch: "main",
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  // A request without an encoding gives Buffers.
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
