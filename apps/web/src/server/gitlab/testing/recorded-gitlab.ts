import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer of GitLab as it was documented or recorded. */
export interface RecordedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A request to GraphQL, or to a page where there is no query. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A server that gives recorded answers of a GitLab instance, one for each request. */
export class RecordedGitlab {
  readonly requests: RecordedRequest[] = [];
  /** Called for each request. */
  answer: (request: RecordedRequest) => RecordedAnswer = () => ({});
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        // What web sends is its own JSON.
        const sent = text === "" ? {} : (JSON.parse(text) as Partial<RecordedRequest>);
        const { query = "", variables = {} } = sent;
        const recorded = { path: request.url ?? "", headers: request.headers, query, variables };
        this.requests.push(recorded);
        const { status = 200, headers = {}, body = "" } = this.answer(recorded);
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    // A TCP server that listens has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What GraphQL answers to a query with fields that the instance does not have (graphql-ruby). */
export function missingFields(...fields: readonly string[]): RecordedAnswer {
  const errors = fields.map((each) => {
    const [typeName = "", fieldName = ""] = each.split(".");
    const message = `Field '${fieldName}' doesn't exist on type '${typeName}'`;
    return {
      message,
      locations: [{ line: 3, column: 5 }],
      path: ["query", "project"],
      extensions: { code: "undefinedField", typeName, fieldName },
    };
  });
  return { headers: { "content-type": "application/json; charset=utf-8" }, body: { errors } };
}

/** An environment as GraphQL of GitLab 17 answers it, with a field that is not queried. */
export function recordedEnvironment(id: number, name: string): Record<string, unknown> {
  return {
    id: `gid://gitlab/Environment/${id}`,
    name,
    slug: name,
    tier: "PRODUCTION",
    state: "available",
    externalUrl: null,
    autoDeleteAt: null,
    kubernetesNamespace: "prod",
    clusterAgent: {
      id: "gid://gitlab/Clusters::Agent/3",
      name: "demo",
      project: { name: "app", fullPath: "group/app" },
      connections: { nodes: [{ connectedAt: "2026-01-01T00:00:00Z" }] },
      tokens: { nodes: [{ lastUsedAt: "2026-01-01T00:05:00Z" }, null] },
    },
    lastDeployment: null,
  };
}
