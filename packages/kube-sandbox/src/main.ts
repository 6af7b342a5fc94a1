import { renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { createLogger } from "@binnacle/telemetry";

import { startKubeSandbox } from "./start-kube-sandbox.ts";

const USAGE = "usage: main.ts --dir D [--port N] [--ready-file F] [--audit-log F] [--nodes N]";

/** Runs the embedded cluster as a process of its own until SIGTERM or SIGINT. Exit code 2: wrong flags; 1: it could not start. */
async function main(): Promise<void> {
  const log = createLogger("kube-sandbox");
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { dir: text, port: text, "ready-file": text, "audit-log": text, nodes: text } });
  const { dir, port = "0", nodes = "3" } = values;
  if (dir === undefined || !/^\d+$/.test(port) || !/^\d+$/.test(nodes)) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const auditLog = values["audit-log"];
  const sandbox = await startKubeSandbox({
    dir,
    port: Number(port),
    nodes: Number(nodes),
    log,
    ...(auditLog === undefined ? {} : { auditLog }),
  });
  const { server, caFile, kubeconfig } = sandbox;
  const readyFile = values["ready-file"];
  if (readyFile !== undefined) {
    writeFileSync(`${readyFile}.new`, JSON.stringify({ pid: process.pid, server, caFile, kubeconfig }));
    renameSync(`${readyFile}.new`, readyFile);
  }
  log.info({ server, kubeconfig }, "the embedded Kubernetes API is ready");
  const stop = (): void => void sandbox.stop().then(() => log.info("stopped"));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`kube-sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
