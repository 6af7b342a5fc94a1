import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { SERVER_NODE_ENV, SERVER_NODE_FLAGS } from "@binnacle/rpc";

import { Program } from "./program.ts";

/** Files and secrets that all kas of a world share. */
export interface KasSecrets {
  readonly directory: string;
  readonly file: string;
  /** What stands in the file, decoded. */
  readonly secret: Buffer;
}

/** What a kas is started with. */
export interface KasProcessOptions {
  /** Base URL of the main application; absent: `configuration` names another one. */
  readonly mainApplication?: string;
  readonly secrets: KasSecrets;
  /** "host:port"; absent: this kas is alone. */
  readonly redis?: string;
  /** PEM files: with them the ports of agents and of Kubernetes clients speak TLS. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string };
  /** Laid over the configuration, section by section. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** More for Node itself. */
  readonly nodeFlags?: readonly string[];
  /** Where it prints; default: what it prints is kept. */
  readonly printsTo?: string;
  /** Ports to listen on; default: free ones. */
  readonly ports?: Partial<Record<"agent" | "k8sProxy" | "privateApi", number>>;
}

/** What kas writes into its ready file: who it is, and host:port each. */
interface KasAddresses {
  readonly kasId: string;
  readonly agent: string;
  readonly api: string;
  readonly k8sProxy: string;
  readonly privateApi: string;
  readonly observability: string;
}

/** A running kas: the very program that is shipped, in a process of its own. */
export interface KasProcess {
  readonly program: Program;
  readonly addresses: KasAddresses;
  /** Value of every gauge and counter without labels. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Ends it at once, and removes its files. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("../../../apps/kas/src/main.ts", import.meta.url));

/** Makes the secrets of a world; remove its directory at the end. */
export function createKasSecrets(): KasSecrets {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-secrets-"));
  const secret = randomBytes(32);
  const file = join(directory, "secret");
  writeFileSync(file, secret.toString("base64"));
  return { directory, file, secret };
}

/** Starts a kas with every listener there is, on loopback. @throws with what it printed when it does not come up */
export async function startKasProcess(options: KasProcessOptions): Promise<KasProcess> {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-kas-"));
  const file = join(directory, "kas.yaml");
  const readyFile = join(directory, "ready.json");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(merged(configurationOf(options), options.configuration ?? {})));
  const own = options.ports?.privateApi;
  const program = await Program.start({
    main: MAIN,
    nodeFlags: [...SERVER_NODE_FLAGS, ...(options.nodeFlags ?? [])],
    args: ["--configuration-file", file, "--ready-file", readyFile],
    env: { ...SERVER_NODE_ENV, OWN_PRIVATE_API_URL: own === undefined ? "" : `grpc://127.0.0.1:${own}`, ...options.env },
    readyFile,
    ...(options.printsTo === undefined ? {} : { printsTo: options.printsTo }),
  });
  // kas writes this file itself.
  const addresses = JSON.parse(readFileSync(readyFile, "utf8")) as KasAddresses;
  return {
    program,
    addresses,
    metrics: () => readMetrics(`http://${addresses.observability}/metrics`),
    async stop() {
      await program.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configurationOf({ mainApplication, secrets, redis, tls, ports }: KasProcessOptions): Readonly<Record<string, unknown>> {
  const listen = (name: keyof NonNullable<typeof ports>): object => ({ address: `127.0.0.1:${ports?.[name] ?? 0}` });
  const files = tls === undefined ? {} : { certificate_file: tls.certificateFile, key_file: tls.keyFile };
  const secret = { authentication_secret_file: secrets.file };
  return {
    ...(mainApplication === undefined ? {} : { gitlab: { address: mainApplication, ...secret } }),
    agent: { listen: { ...listen("agent"), ...files }, kubernetes_api: { listen: { ...listen("k8sProxy"), ...files } } },
    api: { listen: { address: "127.0.0.1:0", ...secret } },
    private_api: { listen: { ...listen("privateApi"), ...secret } },
    observability: { listen: { address: "127.0.0.1:0" } },
    ...(redis === undefined ? {} : { redis: { server: { address: redis } } }),
  };
}

function merged(base: unknown, over: unknown): unknown {
  if (!isSection(base) || !isSection(over)) return over;
  const entries = Object.entries(over).map(([key, value]) => [key, key in base ? merged(base[key], value) : value] as const);
  return { ...base, ...Object.fromEntries(entries) };
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  const text = await answer.text();
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    const match = /^([a-z_]+) (\S+)$/.exec(line);
    if (match?.[1] !== undefined) values.set(match[1], Number(match[2]));
  }
  return values;
}
