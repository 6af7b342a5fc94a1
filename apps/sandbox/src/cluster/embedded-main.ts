import { renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { startKubeSandbox } from "@binnacle/kube-sandbox";
import { createLogger } from "@binnacle/telemetry";

/** The embedded cluster as a process of its own: `--dir DIR --port N [--audit-log FILE] --ready-file FILE`. It ends with SIGTERM. */
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { dir: text, port: text, "audit-log": text, "ready-file": text } });
const { dir, port, "audit-log": auditLog, "ready-file": readyFile } = values;
if (dir === undefined || port === undefined || readyFile === undefined) {
  process.stderr.write("--dir, --port and --ready-file are needed\n");
  process.exit(2);
}

const cluster = await startKubeSandbox({
  dir,
  port: Number(port),
  podMetrics: true,
  ...(auditLog === undefined ? {} : { auditLog }),
  log: createLogger("kube-sandbox"),
});
writeFileSync(`${readyFile}.new`, JSON.stringify({ pid: process.pid, server: cluster.server, kubeconfig: cluster.kubeconfig }));
renameSync(`${readyFile}.new`, readyFile);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    cluster.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
