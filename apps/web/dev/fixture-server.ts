// Serves the built pages over a made-up world: `npx node dev/fixture-server.ts [port]`, after `next build`. For screenshots and for working on
// pages; nothing that ships imports it.
import { connectNodeAdapter } from "@connectrpc/connect-node";
import next from "next";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { fixtureService } from "./fixture-service.ts";

const port = Number(process.argv[2] ?? 0);
const { routes, control } = fixtureService();
const rpc = connectNodeAdapter({ routes, requestPathPrefix: "/api/rpc" });
const server = createServer();
const app = next({ dev: false, dir: fileURLToPath(new URL("..", import.meta.url)), httpServer: server });
const pages = app.getRequestHandler();
await app.prepare();

server.on("request", (request, response) => {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  if (url.pathname.startsWith("/api/rpc/")) return rpc(request, response);
  if (url.pathname === "/api/session")
    return response.setHeader("content-type", "application/json").end('{"mainApplication":"Harbor","way":"token"}');
  if (url.pathname === "/api/touch") {
    control.touch(url.searchParams.get("environment") ?? "", url.searchParams.get("id") ?? "", url.searchParams.get("fact") ?? "");
    return response.end();
  }
  return void pages(request, response); // Next answers by itself
});
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`);
});
