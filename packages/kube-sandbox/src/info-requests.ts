import { wantsAggregatedDiscovery } from "./accept.ts";
import { methodNotAllowed, notImplemented, pathNotFound } from "./api-error.ts";
import { AGGREGATED_TYPE, type Discovery } from "./discovery.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { OpenApi } from "./openapi.ts";

/** What paths outside of resources are answered from. */
export interface InfoParts {
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
}

/** The version this server speaks; the one `data/` was taken from. */
const VERSION = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.3+sandbox",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "linux/amd64",
};

/**
 * Answers version, health, discovery and OpenAPI.
 *
 * @throws ApiError 404, 405, 501
 */
export function answerInfo(exchange: Exchange, parts: InfoParts): Answer {
  const { verb, target, request } = exchange;
  if (verb !== "get" && verb !== "head") throw methodNotAllowed();
  const path = target.path.length > 1 ? target.path.replace(/(?<!\/)\/+$/, "") : target.path;
  if (["/healthz", "/livez", "/readyz"].includes(path)) return { code: 200, body: "ok", contentType: "text/plain" };
  if (path === "/version") return { code: 200, body: JSON.stringify(VERSION) };
  if (path === "/")
    return {
      code: 200,
      body: JSON.stringify({ paths: ["/api", "/api/v1", "/apis", "/healthz", "/livez", "/openapi/v3", "/readyz", "/version"] }),
    };
  if (path.startsWith("/openapi/v3")) {
    const body = parts.openApi.document(path);
    if (body === undefined) throw pathNotFound();
    return { code: 200, body };
  }
  if (path.startsWith("/openapi")) throw notImplemented("OpenAPI v2 (ask for /openapi/v3)");
  if (path.startsWith("/metrics") || path.startsWith("/logs") || path.startsWith("/debug")) throw notImplemented(path);
  const aggregated = wantsAggregatedDiscovery(request.headers.accept) && (path === "/api" || path === "/apis");
  const document = parts.discovery.document(path, aggregated);
  if (!document) throw pathNotFound();
  const headers = { etag: document.etag, "cache-control": "public", vary: "Accept" };
  if (request.headers["if-none-match"] === document.etag) return { code: 304, body: "", headers };
  return { code: 200, body: document.body, contentType: aggregated ? AGGREGATED_TYPE : "application/json", headers };
}
