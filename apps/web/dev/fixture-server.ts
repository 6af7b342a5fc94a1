/**
 * The pages over a made-up world: no cluster, no Redis, no sign-in. `npm run dev` is `--dev --port 3000`, the pages as they are being
 * written, with fast refresh; without `--dev` they are those of the last build. Nothing that ships imports this.
 */
import { nodeExpressions } from "@binnacle/pod-logs/node-expressions";
import { systemClock } from "@binnacle/rpc";
import next from "next";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DOCUMENT_HEADER, isDocument } from "../src/server/http/document-header.ts";
import { provideInProcess } from "../src/server/in-process.ts";
import { createConnectHandler } from "../src/server/wire/connect-handler.ts";
import { createInProcessHandler } from "../src/server/wire/in-process-handler.ts";
import { speakLanguage } from "@binnacle/presentation/text/server-catalogue";
import { createFixtureHeaders } from "./fixture-headers.ts";
import { openPages, type Pages } from "../src/server/pages/open-pages.ts";
import { fixtureService } from "./fixture-service.ts";
import type { WorldChange } from "./world-change.ts";

const { values } = parseArgs({
  options: {
    dev: { type: "boolean", default: false },
    port: { type: "string", default: "0" },
    dir: { type: "string" },
    language: { type: "string" },
  },
});
if (values.language === "pseudo") speakLanguage("pseudo");
/** Next offers its messages of fast refresh to origins that it knows: a browser calls this machine `localhost` or by its number. */
const HOST = "127.0.0.1";
/** The made-up viewer is signed in, and stays so. */
const SESSION = { mainApplication: "Harbor", way: "token" };
const dir = values.dir ?? fileURLToPath(new URL("..", import.meta.url));
const { routes, control } = fixtureService(nodeExpressions(systemClock));
const rpc = createConnectHandler({ routes, prefix: "/api/rpc", authority: HOST });
const inProcess = createInProcessHandler({ routes, prefix: "/api/rpc" });
provideInProcess(async (url, init) => (new URL(url).pathname === "/api/session" ? Response.json(SESSION) : inProcess(url, init)));
const headersOf = createFixtureHeaders({ fastRefresh: values.dev });
const server = createServer();
const pages = values.dev ? await openUnbuilt() : await openPages(dir, "");

server.on("request", (request, response) => {
  const url = new URL(request.url ?? "/", `http://${HOST}`);
  const headers = headersOf();
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Next takes the nonce from here, as in `server/http/web-server.ts`.
  request.headers["content-security-policy"] = headers["content-security-policy"];
  request.headers[DOCUMENT_HEADER] = isDocument(request) ? "yes" : "no";
  if (url.pathname.startsWith("/api/rpc/")) return void rpc(request, response); // it rejects only when there is a bug, which may end this server
  if (url.pathname === "/api/session") return answerSession(request, response);
  if (url.pathname === "/api/change") return void answerChange(request, response, url.searchParams.get("environment") ?? "");
  return void pages.handle(request, response); // Next answers by itself
});
server.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EADDRINUSE") throw error;
  process.stderr.write(`Port ${values.port} is taken: \`npm run dev -- --port 0\` takes one that is free.\n`);
  process.exit(1);
});
server.listen(Number(values.port), HOST, () => {
  const address = server.address();
  const base = `http://${HOST}:${typeof address === "object" && address !== null ? address.port : values.port}`;
  process.stdout.write(values.dev ? `\n${welcome(base)}\n` : `${base}\n`);
});
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  // A build is served from a copy of it, which goes with this server.
  process.once(signal, () => void pages.close().finally(() => process.exit(0)));
}

async function openUnbuilt(): Promise<Pick<Pages, "handle" | "close">> {
  const app = next({ dev: true, dir, hostname: HOST, httpServer: server });
  const handle = app.getRequestHandler();
  await app.prepare();
  return { handle, close: () => Promise.resolve() };
}

/** Something happens in an environment that is open; only the tests of this server's pages ask for it. */
async function answerChange(request: IncomingMessage, response: ServerResponse, environment: string): Promise<void> {
  const change: WorldChange = JSON.parse(await text(request));
  control.change(environment, change);
  response.end();
}

/** The made-up viewer is signed in by a token, and stays so. */
function answerSession(request: IncomingMessage, response: ServerResponse): void {
  response.statusCode = request.method === "DELETE" ? 204 : 200;
  if (request.method === "DELETE") response.end();
  else response.setHeader("content-type", "application/json").end(JSON.stringify(SESSION));
}

function welcome(base: string): string {
  const at = `${base}/p/harbor/storefront/environments`;
  return [
    `Binnacle over a made-up world: ${base}`,
    `  every environment, every state   ${at}`,
    `  one environment as a graph       ${at}/production?view=graph`,
    `  a large one                      ${at}/load-5000?view=graph`,
    `  every component, both themes     ${base}/dev/components`,
    "A saved file is on the screen without a reload. Ctrl+C ends it.",
  ].join("\n");
}
