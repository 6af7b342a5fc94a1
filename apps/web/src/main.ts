import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { renameSync, writeFileSync } from "node:fs";
import { ConfigError } from "@binnacle/config";
import { OrganizationFiles } from "@binnacle/organization";
import { Fault, HttpExit, runModules, sleep, systemClock, type Module } from "@binnacle/rpc";
import { createLogger, type Logger } from "@binnacle/telemetry";
import { openAudit } from "@binnacle/telemetry/audit";
import { createBff } from "./server/bff.ts";
import { loadWebConfig, type WebConfig } from "./server/config/config.ts";
import { openObservability, createWebMetrics, type WebMetrics } from "./server/metrics/web-metrics.ts";
import { followCertificate } from "./server/http/follow-certificate.ts";
import { provideInProcess } from "./server/in-process.ts";
import { pathPrefixOf } from "./server/base/path-prefix.ts";
import { openPages } from "./server/pages/open-pages.ts";
import { createWebServer, listen } from "./server/http/web-server.ts";

const USAGE = "usage: node apps/web/src/main.ts --configuration-file web.yaml [--ready-file FILE]";

await main();

/** Configuration → BFF → Next → listen → run until SIGTERM → stop. Exit code 2 for a bad configuration, 1 for another failure. */
async function main(): Promise<void> {
  const { values } = readFlags();
  const file = values["configuration-file"];
  if (file === undefined) return fail(2, USAGE);
  let config: WebConfig;
  try {
    config = loadWebConfig(file, process.env);
  } catch (error) {
    if (error instanceof ConfigError || (error instanceof Fault && error.reason === "configuration_invalid")) return fail(2, error.message);
    throw error;
  }
  const log = createLogger("web", config.log.level);
  await run(config, { log, readyFile: values["ready-file"] });
}

function readFlags() {
  try {
    return parseArgs({ options: { "configuration-file": { type: "string" }, "ready-file": { type: "string" } } });
  } catch (error) {
    return fail(2, `${textOf(error)}\n${USAGE}`);
  }
}

async function run(config: WebConfig, { log, readyFile }: { log: Logger; readyFile: string | undefined }): Promise<void> {
  const metrics = createWebMetrics();
  const audit = openAuditOrFail(config, { log, metrics });
  const organization = await openOrganizationOrFail(config, log);
  const bff = createBff({ config, clock: systemClock, log, organization, audit, metrics });
  provideInProcess(bff.inProcess);
  const pages = await orFail(
    "the dashboard's production build cannot be loaded (make it with `npx turbo run build --filter=@binnacle/web`)",
    openPages(fileURLToPath(new URL("..", import.meta.url)), pathPrefixOf(config.external_url)),
  );
  let ready = true;
  const server = createWebServer({
    config,
    bff,
    handle: pages.handle,
    build: pages.build,
    failed: (error) => log.error({ error }, "answering a request failed"),
    refused: (reason) => metrics.refused(reason),
    requested: (route, outcome) => metrics.requested(route, outcome),
    upgrade: bff.upgrade,
    clock: systemClock,
    ready: () => ready,
  });
  const unfollowCertificate = followCertificate(server, config.listen, { clock: systemClock, log });
  const exit = new HttpExit(server, systemClock);
  const observability = await orFail(
    "observability.listen.address",
    openObservability({
      config: config.observability,
      registry: metrics.registry,
      ready: () => (ready ? [] : ["the dashboard is stopping"]),
      log,
    }),
  );
  const address = await orFail(`listen.address ${config.listen.address}`, listen(server, config.listen.address));
  if (readyFile !== undefined) writeReadyFile(readyFile, { pid: process.pid, address });
  log.info({ address, observability: observability.address }, "the dashboard answers");
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
  const departure: Module = {
    name: "departure",
    async drain(deadline) {
      ready = false;
      log.info("the dashboard is stopping");
      await sleep(systemClock, config.shutdown.not_ready, deadline);
    },
    close: async () => undefined,
  };
  const listener: Module = {
    name: "listener",
    drain(deadline) {
      bff.drain();
      return exit.drain(deadline);
    },
    close() {
      unfollowCertificate();
      return exit.close();
    },
  };
  const phases = [
    [departure],
    [listener],
    [{ name: "bff", close: () => bff.close() }],
    ...(organization === undefined ? [] : [[{ name: "organization", close: async () => organization.close() }]]),
    // Behind all that writes records.
    ...(audit === undefined ? [] : [[audit]]),
    [{ name: "pages", close: () => pages.close() }],
    [observability],
  ];
  await runModules(phases, stop.signal, { clock: systemClock, deadlineMs: config.shutdown.deadline });
  process.exit(0);
}

/** The files of an organization; those that cannot be used keep the dashboard from starting. */
async function openOrganizationOrFail({ main_application: { organization: path } }: WebConfig, log: Logger) {
  if (path === undefined) return undefined;
  try {
    return await OrganizationFiles.open({ path, clock: systemClock, log });
  } catch (error) {
    if (error instanceof ConfigError) return fail(2, error.message);
    throw error;
  }
}

/** The audit; a file that cannot be opened keeps the dashboard from starting. */
function openAuditOrFail({ observability }: WebConfig, { log, metrics }: { readonly log: Logger; readonly metrics: WebMetrics }) {
  const count = metrics.audited.bind(metrics);
  try {
    return openAudit(observability.audit, { clock: systemClock, log, count });
  } catch (error) {
    return fail(2, `observability.audit.file cannot be opened for writing: ${textOf(error)}`);
  }
}

async function orFail<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    return fail(1, `${what}: ${textOf(error)}`);
  }
}

function fail(code: number, message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Says, atomically, that the process answers: whoever sees the file sees all of it. */
function writeReadyFile(file: string, content: object): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content)}\n`);
  renameSync(temporary, file);
}
