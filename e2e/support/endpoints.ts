import { readFileSync } from "node:fs";

/** One kas process, as `endpoints.json` describes it: host:port without a scheme for gRPC, URLs for HTTP. */
interface KasEndpoints {
  readonly agent: string;
  readonly api: string;
  readonly k8sProxy: string;
  readonly urlPathPrefix: string;
  readonly internal: string;
  readonly observability: string;
}

/** A process the sandbox started, and how to start it again. */
export interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The contract of the sandbox with every test (docs/design/conventions.md "The sandbox and its file"). */
export interface Endpoints {
  readonly dashboard: string;
  readonly environments: readonly {
    readonly project: string;
    readonly name: string;
    readonly url: string;
    readonly namespace: string;
    readonly agentId: string;
  }[];
  readonly users: readonly { readonly username: string; readonly password: string; readonly personalAccessToken: string }[];
  readonly agents: readonly {
    readonly id: string;
    readonly name: string;
    readonly token: string;
    readonly projectId: string;
    readonly configProject: string;
  }[];
  readonly kas: readonly KasEndpoints[];
  /** Of the other programs, as URLs. */
  readonly observability: { readonly agentk: string; readonly web: string };
  readonly apiJwtSecretFile: string;
  readonly internalJwtSecretFile: string;
  readonly mainApplication: { readonly url: string; readonly graphql: string; readonly gitRoot: string };
  /** What an agent deploys from Git: a bare repository, and the directory in it. */
  readonly manifestProjects: readonly {
    readonly project: string;
    readonly repository: string;
    readonly environment: string;
    readonly directory: string;
  }[];
  readonly logDir: string;
  readonly redis: string | null;
  readonly kubeconfigs: {
    readonly cluster: string;
    readonly viaKas: string;
    readonly ciJob: string;
    readonly viaKasAs: { readonly developer: string; readonly outsider: string } & Readonly<Record<string, string>>;
  };
  readonly caFile?: string;
  /** JSON lines of the API server, with `--audit`. */
  readonly auditLog?: string;
  readonly ciJobToken: string;
  readonly commands: { readonly kas: readonly Command[]; readonly agentk: readonly Command[]; readonly web: Command };
  readonly pids: {
    readonly kas: readonly number[];
    readonly agentk: readonly number[];
    readonly web: number;
    readonly sandbox: number;
    /** Processes of the cluster by their names; the embedded one is one process. */
    readonly cluster: Readonly<Record<string, number>>;
  };
}

/** Reads the file; the sandbox writes it in one step, so it is never half there. */
export function readEndpoints(file: string): Endpoints {
  // The sandbox is ours and its own tests hold the shape.
  return JSON.parse(readFileSync(file, "utf8")) as Endpoints;
}

/** The only entry that `matches`. @throws when there is none */
export function pick<T>(entries: readonly T[], matches: (entry: T) => boolean): T {
  const found = entries.find(matches);
  if (found === undefined) throw new Error(`no entry matches in ${JSON.stringify(entries)}`);
  return found;
}
