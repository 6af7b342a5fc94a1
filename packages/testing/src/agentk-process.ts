import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { SERVER_NODE_ENV, SERVER_NODE_FLAGS } from "@binnacle/rpc";

import { Program } from "./program.ts";

/** What an agentk is started with. */
export interface AgentkProcessOptions {
  /** `grpc://host:port`, `grpcs://…`, `ws://…`. */
  readonly kasAddress: string;
  readonly token: string;
  /** Base URL of the cluster's API server. */
  readonly server: string;
  /** PEM file of the authority that signs kas. */
  readonly caFile?: string;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** For Node itself. */
  readonly nodeFlags?: readonly string[];
  /** More of the command line. */
  readonly flags?: readonly string[];
}

/** A running agentk: the very program that is shipped, in a process of its own. */
export interface AgentkProcess {
  readonly program: Program;
  /** Ends it at once, and removes its files. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("../../../apps/agentk/src/main.ts", import.meta.url));

/** Starts one. @throws with what it printed when it does not come up */
export async function startAgentkProcess(options: AgentkProcessOptions): Promise<AgentkProcess> {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-agentk-"));
  const [token, kubeconfig, readyFile] = ["token", "kubeconfig", "ready.json"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(token, options.token);
  writeFileSync(
    kubeconfig,
    // JSON is YAML.
    JSON.stringify({
      "current-context": "a",
      contexts: [{ name: "a", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: options.server } }],
      users: [{ name: "u", user: { token: "of-the-agent" } }],
    }),
  );
  const flags = { "--kas-address": options.kasAddress, "--token-file": token, "--kubeconfig": kubeconfig, "--ready-file": readyFile };
  const program = await Program.start({
    main: MAIN,
    args: [
      ...Object.entries(flags).flat(),
      "--observability-listen-address",
      "127.0.0.1:0",
      ...(options.caFile === undefined ? [] : ["--ca-cert-file", options.caFile]),
      ...(options.flags ?? []),
    ],
    readyFile,
    // As it is run where memory counts (apps/agentk/README.md).
    nodeFlags: [...SERVER_NODE_FLAGS, ...(options.nodeFlags ?? [])],
    env: { ...SERVER_NODE_ENV, ...options.env },
  });
  return {
    program,
    async stop() {
      await program.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
