import { createLogger } from "@binnacle/telemetry";
import { SignJWT } from "jose";

import type { ReadCommit } from "../gitaly/read-commit.ts";
import type { Application } from "./application.ts";
import { startApplicationServer } from "./application-server.ts";
import { Sessions } from "./sessions.ts";
import { World } from "./world.ts";

/** A running stand-in with a small world, for tests. */
export interface ApplicationFixture {
  readonly app: Application;
  /** Files of repositories, by "project path". */
  readonly files: Map<string, Buffer>;
  /** Commits by "<project> <id>". */
  readonly commits: Map<string, ReadCommit>;
  readonly url: string;
  /** Headers of a request that comes from kas. */
  kasHeaders(claims?: { issuer?: string; expiresIn?: string }): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const SECRET = new Uint8Array(32).fill(7);

/** Starts the stand-in on a free port. `connected` is what kas would say of every agent. */
export async function startApplicationFixture(connected: readonly Date[] = []): Promise<ApplicationFixture> {
  const files = new Map<string, Buffer>();
  const commits = new Map<string, ReadCommit>();
  const lastCommits = new Map<string, string>();
  const app: Application = {
    world: new World({
      users: ["maintainer", "developer", "outsider", "guest"].map((username, index) => ({
        id: index + 1,
        username,
        name: username,
        password: `${username}-password`,
        personalAccessToken: `glpat-${username}`,
      })),
      projects: [
        {
          id: 1,
          name: "app",
          fullPath: "group/app",
          groupId: 9,
          members: new Map([
            [1, "maintainer"],
            [2, "developer"],
            [3, "reporter"],
            [4, "guest"],
          ] as const),
        },
        { id: 2, name: "open", fullPath: "group/open", groupId: 9, members: new Map(), visibility: "public" },
        { id: 3, name: "hidden", fullPath: "group/hidden", groupId: 9, members: new Map() },
        { id: 4, name: "deploy", fullPath: "group/deploy", groupId: 9, members: new Map([[1, "maintainer"]] as const) },
      ],
      agents: [
        { id: 1, name: "demo", projectId: 1, token: "glagent-demo" },
        { id: 2, name: "platform", projectId: 4, token: "glagent-platform" },
      ],
      environments: [
        { id: 1, projectId: 1, name: "production", slug: "production", tier: "PRODUCTION", namespace: "production", agentId: 1 },
      ],
      ciJobs: [
        {
          id: 5,
          pipelineId: 6,
          projectId: 1,
          userId: 1,
          token: "job-token",
          environment: { name: "production", slug: "production", tier: "production" },
          isOnProtectedBranch: true,
        },
      ],
    }),
    sessions: new Sessions(),
    connectedAgents: { connectedAt: async () => connected },
    externalUrl: "http://127.0.0.1:4000",
    dashboardUrl: "http://127.0.0.1:3000",
    kasUrl: "http://127.0.0.1:8154/k8s-proxy/",
    kasSecret: SECRET,
    gitaly: { address: "tcp://127.0.0.1:1", token: "gitaly" },
    readFile: async (fullPath, path) => files.get(`${fullPath} ${path}`),
    readBlob: async (fullPath, { path, ref }) => files.get(`${fullPath}@${ref} ${path}`),
    readCommit: async (fullPath, id) => commits.get(`${fullPath} ${id}`),
    lastCommitOf: async (fullPath, path) => lastCommits.get(`${fullPath} ${path}`),
    commitFile: async (fullPath, { path, branch, content, lastCommitId, isNew }) => {
      const key = branch === "main" ? `${fullPath} ${path}` : `${fullPath}@${branch} ${path}`;
      const known = lastCommits.get(`${fullPath} ${path}`);
      if (lastCommitId !== undefined && lastCommitId !== known) return { refused: "changed" };
      if (isNew && files.has(`${fullPath} ${path}`)) return { refused: "exists" };
      const sha = String(lastCommits.size + 1).padStart(40, "0");
      if (branch === "main") lastCommits.set(key, sha);
      files.set(key, Buffer.from(content));
      return { sha };
    },
    log: createLogger("sandbox", "silent"),
  };
  const server = await startApplicationServer(app, { port: 0 });
  return {
    app,
    files,
    commits,
    url: `http://127.0.0.1:${server.port}`,
    async kasHeaders({ issuer = "gitlab-kas", expiresIn = "30s" } = {}) {
      const jwt = await new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer(issuer)
        .setAudience("gitlab")
        .setExpirationTime(expiresIn)
        .sign(SECRET);
      return { "gitlab-kas-api-request": jwt, "content-type": "application/json" };
    },
    close: () => server.close(),
  };
}

/** A browser's part: keeps cookies, follows nothing. */
export class FixtureBrowser {
  readonly #url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(init.headers);
    headers.set("cookie", cookie);
    const response = await fetch(this.#url + path, { ...init, headers, redirect: "manual" });
    for (const text of response.headers.getSetCookie()) {
      const found = /^([^=]+)=([^;]*)/.exec(text);
      if (found?.[1] !== undefined && found[2] !== undefined) this.cookies.set(found[1], found[2]);
    }
    return response;
  }

  /** The CSRF token of a page. */
  async csrfToken(path: string): Promise<string> {
    const text = await (await this.fetch(path)).text();
    const found = /<meta name="csrf-token" content="([^"]+)"/.exec(text);
    if (found?.[1] === undefined) throw new Error(`${path} has no CSRF token: ${text.slice(0, 200)}`);
    return found[1];
  }

  /** Signs in through the form. */
  async signIn(username: string, { password = `${username}-password`, returnTo = "" } = {}): Promise<Response> {
    const token = await this.csrfToken("/users/sign_in");
    const form = { authenticity_token: token, "user[login]": username, "user[password]": password, return_to: returnTo };
    return this.fetch("/users/sign_in", { method: "POST", body: new URLSearchParams(form) });
  }
}
