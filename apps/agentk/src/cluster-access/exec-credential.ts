import { execFile } from "node:child_process";
import { dirname, isAbsolute, join } from "node:path";

import { Fault, type Clock } from "@binnacle/rpc";

import { Untyped } from "./untyped.ts";

/** A program that prints credentials: `users[].user.exec` of a kubeconfig. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly installHint: string | undefined;
}

/** What the program printed. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since the epoch; undefined: until it is refused. */
  readonly expiresAt: number | undefined;
}

const TIMEOUT_MS = 60_000;
const API_VERSIONS = new Set(["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]);

/** Reads `users[].user.exec`. @param directory of the kubeconfig: a relative command with a slash begins there */
export function parseExecPlugin(exec: Untyped, directory: string): ExecPlugin {
  const apiVersion = exec.get("apiVersion").text() ?? "";
  if (!API_VERSIONS.has(apiVersion)) throw exec.get("apiVersion").wrong([...API_VERSIONS].join(" or "));
  const command = exec.get("command").text();
  if (command === undefined) throw exec.get("command").wrong("a command");
  const env = Object.fromEntries(
    exec
      .get("env")
      .list()
      .map((item) => [item.get("name").text() ?? "", item.get("value").text() ?? ""]),
  );
  return {
    apiVersion,
    command: isAbsolute(command) || (dirname(command) === "." && !command.includes("/")) ? command : join(directory, command),
    args: exec.get("args").texts(),
    env,
    installHint: exec.get("installHint").text(),
  };
}

/** Runs an exec plugin when its credential is needed and keeps it until it expires or is refused; one run at a time. */
export class ExecCredentialSource {
  readonly #plugin: ExecPlugin;
  readonly #clock: Clock;
  #current: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;

  constructor(plugin: ExecPlugin, clock: Clock) {
    this.#plugin = plugin;
    this.#clock = clock;
  }

  /** The credential in hand, valid or not; undefined before the first `get`. */
  get current(): ExecCredential | undefined {
    return this.#current;
  }

  /** @throws Fault `cluster_unavailable` when the program fails or prints something else */
  get(): ExecCredential | Promise<ExecCredential> {
    const { expiresAt = Number.POSITIVE_INFINITY } = this.#current ?? { expiresAt: 0 };
    if (this.#current && this.#clock.now() < expiresAt) return this.#current;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** The API server refused the credential. */
  expire(): void {
    this.#current = undefined;
  }

  async #run(): Promise<ExecCredential> {
    const { apiVersion, command, args, env } = this.#plugin;
    const info = JSON.stringify({ apiVersion, kind: "ExecCredential", spec: { interactive: false } });
    const printed = await new Promise<string>((resolve, reject) => {
      execFile(
        command,
        [...args],
        { env: { ...env, KUBERNETES_EXEC_INFO: info }, timeout: TIMEOUT_MS, maxBuffer: 1024 * 1024 },
        (error, stdout) => {
          // The program's own output is kept back: it may hold a credential.
          if (error)
            reject(
              new Fault("cluster_unavailable", `the exec plugin ${command} failed (${String(error.code ?? error.signal)})`, {
                cause: error,
              }),
            );
          else resolve(stdout);
        },
      );
    });
    this.#current = parseExecCredential(printed, command);
    return this.#current;
  }
}

function parseExecCredential(printed: string, command: string): ExecCredential {
  let status: Untyped;
  try {
    status = new Untyped(JSON.parse(printed), command).get("status");
  } catch {
    throw new Fault("cluster_unavailable", `the exec plugin ${command} printed no JSON`);
  }
  const expires = status.get("expirationTimestamp").text();
  const expiresAt = expires === undefined ? undefined : Date.parse(expires);
  const credential = {
    token: status.get("token").text(),
    certificate: status.get("clientCertificateData").text(),
    key: status.get("clientKeyData").text(),
    expiresAt,
  };
  if (Number.isNaN(expiresAt)) throw new Fault("cluster_unavailable", `the exec plugin ${command} printed an expiry that is no time`);
  if (credential.token === undefined && (credential.certificate === undefined || credential.key === undefined)) {
    throw new Fault("cluster_unavailable", `the exec plugin ${command} printed neither a token nor a certificate with its key`);
  }
  return credential;
}
