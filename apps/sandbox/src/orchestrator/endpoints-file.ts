import { renameSync, rmSync, writeFileSync } from "node:fs";

import type { Command } from "./managed-process.ts";

/** One kas in endpoints.json. */
export interface KasEndpoint {
  /** grpc://host:port */
  readonly agent: string;
  /** host:port */
  readonly api: string;
  /** https://host:port without the prefix, as a browser calls it */
  readonly k8sProxy: string;
  /** The same for processes: always 127.0.0.1 */
  readonly k8sProxyInternal: string;
  /** Ends with a slash. */
  readonly urlPathPrefix: string;
  /** host:port */
  readonly internal: string;
  /** http://host:port */
  readonly observability: string;
}

/** endpoints.json: the contract of every test, benchmark and outside client. Paths are absolute. */
export interface Endpoints {
  /** Address for a browser. */
  readonly dashboard: string;
  /** The same server for processes, which do not resolve `*.localhost`. */
  readonly dashboardInternal: string;
  readonly environments: readonly {
    readonly project: string;
    readonly name: string;
    readonly namespace: string;
    readonly agentId: string;
    readonly url: string;
  }[];
  readonly users: readonly { readonly username: string; readonly password: string; readonly personalAccessToken: string }[];
  readonly agents: readonly {
    readonly id: string;
    readonly name: string;
    readonly token: string;
    readonly projectId: string;
    readonly configProject: string;
  }[];
  readonly kas: readonly KasEndpoint[];
  /** Of the dashboard and the first agent's agentk, as `http://host:port`. */
  readonly observability: { readonly agentk: string; readonly web: string };
  /** Address of the first kas's k8s-proxy for a browser, with prefix. */
  readonly kasExternalUrl: string;
  readonly apiJwtSecretFile: string;
  readonly internalJwtSecretFile: string;
  readonly mainApplication: { readonly url: string; readonly internalUrl: string; readonly graphql: string; readonly gitRoot: string };
  /** What the agents deploy from Git, with the path of the bare repository; none with a foreign cluster. */
  readonly manifestProjects: readonly {
    readonly project: string;
    readonly repository: string;
    readonly environment: string;
    readonly directory: string;
  }[];
  readonly redis: string | null;
  readonly kubeconfigs: {
    readonly cluster: string;
    readonly viaKas: string;
    readonly viaKasAs: Readonly<Record<string, string>>;
    /** A context for each agent that the job may use, "group/app:demo"; none is chosen. */
    readonly ciJob: string;
  };
  readonly ciJobToken: string;
  /** Authority of everything that speaks https. */
  readonly caFile: string;
  /** JSON lines of the requests that the API server got, embedded or real; there with `--audit`. */
  readonly auditLog?: string;
  readonly logDir: string;
  /** Of agentk one for each of `agents`, in their order. */
  readonly commands: { readonly kas: readonly Command[]; readonly agentk: readonly Command[]; readonly web: Command };
  /** 0 for a process that does not run; of agentk as in `commands`. */
  readonly pids: {
    readonly kas: readonly number[];
    readonly agentk: readonly number[];
    readonly web: number;
    readonly sandbox: number;
    readonly cluster: Readonly<Record<string, number>>;
    readonly redis?: number;
  };
}

/** endpoints.json. A reader sees a whole file or none. */
export class EndpointsFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  write(endpoints: Endpoints): void {
    const next = `${this.path}.${process.pid}.new`;
    writeFileSync(next, `${JSON.stringify(endpoints, null, 2)}\n`, { mode: 0o600 });
    renameSync(next, this.path);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
