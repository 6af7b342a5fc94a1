import { execFile } from "node:child_process";
import { join } from "node:path";

import { Agent, request } from "undici";
import { parse as parseYaml } from "yaml";

import { isTree, listIn, textIn, treeIn, type Tree } from "../json-tree.ts";

/** A Kubernetes API as the suite gets it. */
export interface ApiUnderTest {
  /** Kubeconfig of an administrator with a bearer token. */
  readonly kubeconfig: string;
  readonly server: string;
  /** PEM text of the authority of the server's certificate. */
  readonly ca: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** One answer. `body` is an empty object when the answer is no JSON object. */
export interface ApiAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Tree;
  readonly text: string;
}

/** Headers of one request; a list is sent as repeated headers. */
export type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** Raw HTTP against one API server, as one user. */
export class ConformanceClient {
  readonly #under: ApiUnderTest;
  readonly #agent: Agent;
  readonly #headers: RequestHeaders;

  constructor(under: ApiUnderTest, headers: RequestHeaders = { authorization: `Bearer ${under.token}` }, agent?: Agent) {
    this.#under = under;
    this.#headers = headers;
    this.#agent = agent ?? new Agent({ connect: { ca: under.ca } });
  }

  /** The same server with other headers (another token, impersonation). */
  as(headers: RequestHeaders): ConformanceClient {
    return new ConformanceClient(this.#under, { ...this.#headers, ...headers }, this.#agent);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  get(path: string, headers: RequestHeaders = {}): Promise<ApiAnswer> {
    return this.send("GET", path, { headers });
  }

  post(path: string, body: unknown): Promise<ApiAnswer> {
    return this.send("POST", path, { body });
  }

  put(path: string, body: unknown): Promise<ApiAnswer> {
    return this.send("PUT", path, { body });
  }

  /** `type` is `json`, `merge`, `strategic` or `apply`. */
  patch(path: string, type: "json" | "merge" | "strategic" | "apply", body: unknown): Promise<ApiAnswer> {
    const names = {
      json: "json-patch+json",
      merge: "merge-patch+json",
      strategic: "strategic-merge-patch+json",
      apply: "apply-patch+yaml",
    };
    return this.send("PATCH", path, { body, headers: { "content-type": `application/${names[type]}` } });
  }

  delete(path: string, body?: unknown): Promise<ApiAnswer> {
    return this.send("DELETE", path, { body });
  }

  async send(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: RequestHeaders },
  ): Promise<ApiAnswer> {
    const answer = await request(`${this.#under.server}${path}`, {
      // undici's list of methods has all that are used here.
      method: method as "GET",
      dispatcher: this.#agent,
      headers: {
        accept: "application/json",
        ...this.#headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const value: unknown = text.startsWith("{") ? JSON.parse(text) : {};
    return { code: answer.statusCode, headers: answer.headers, body: isTree(value) ? value : {}, text };
  }

  /** Lines of a watch until `done` says so; the stream is closed then. Fails after 30 seconds. */
  async watch(path: string, done: (events: readonly Tree[]) => boolean): Promise<Tree[]> {
    const ended = new AbortController();
    const answer = await request(`${this.#under.server}${path}`, {
      dispatcher: this.#agent,
      headers: { accept: "application/json", ...this.#headers },
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(30_000)]),
    });
    const events: Tree[] = [];
    let rest = "";
    for await (const chunk of answer.body) {
      rest += String(chunk);
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const value: unknown = JSON.parse(line);
        if (isTree(value)) events.push(value);
        if (done(events)) {
          ended.abort();
          answer.body.on("error", () => undefined);
          return events;
        }
      }
    }
    return events;
  }

  /** Watches one object of a collection until it fits; returns it. */
  async object(collection: string, name: string, fits: (object: Tree) => boolean): Promise<Tree> {
    const events = await this.watch(
      `${collection}?watch=true&fieldSelector=metadata.name%3D${name}`,
      (all) => isTree(all.at(-1)?.["object"]) && all.at(-1)?.["type"] !== "DELETED" && fits(treeIn(all.at(-1), "object")),
    );
    return treeIn(events.at(-1), "object");
  }

  /** Watches a collection until as many objects are there as `fits` wants. */
  async count(collection: string, fits: (names: ReadonlySet<string>) => boolean): Promise<void> {
    const list = await this.get(collection);
    const names = new Set(listIn(list.body, "items").map((item) => textIn(item, "metadata", "name") ?? ""));
    if (fits(names)) return;
    await this.watch(
      `${collection}${collection.includes("?") ? "&" : "?"}watch=true&resourceVersion=${textIn(list.body, "metadata", "resourceVersion")}`,
      (all) => {
        const last = all.at(-1);
        const name = textIn(last, "object", "metadata", "name") ?? "";
        if (last?.["type"] === "DELETED") names.delete(name);
        else names.add(name);
        return fits(names);
      },
    );
  }

  /** Waits until the named object of a collection is gone. */
  gone(collection: string, name: string): Promise<void> {
    return this.count(`${collection}?fieldSelector=metadata.name%3D${name}`, (names) => names.size === 0);
  }
}

const NOTICED_MS = 15_000;
const ASK_AGAIN_MS = 50;

/**
 * Asks until the answer has this code: a real API server takes notice of roles, bindings and accounts a moment after they are stored.
 *
 * @returns the last answer, whatever its code, after 15 s
 */
export async function answerOnce(code: number, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const deadline = Date.now() + NOTICED_MS;
  for (;;) {
    const answer = await ask();
    if (answer.code === code || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** What a run of kubectl gave. */
export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the kubectl of KUBEBUILDER_ASSETS. Never rejects for its exit code. */
export function runKubectl(kubeconfig: string, args: readonly string[], input = ""): Promise<KubectlResult> {
  const assets = process.env["KUBEBUILDER_ASSETS"];
  const program = assets === undefined ? "kubectl" : join(assets, "kubectl");
  return new Promise((resolve) => {
    const child = execFile(
      program,
      ["--kubeconfig", kubeconfig, "--cache-dir", `${kubeconfig}.cache`, ...args],
      { timeout: 60_000, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, stdout, stderr });
      },
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Server, authority and token in a kubeconfig whose file names are absolute. */
export function tokenOf(kubeconfigText: string): string {
  const config: unknown = parseYaml(kubeconfigText);
  return textIn(listIn(config, "users")[0], "user", "token") ?? "";
}
