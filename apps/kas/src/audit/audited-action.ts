import { isWatch } from "../agent-call/call-context.ts";
import type { AuditedAction } from "@binnacle/telemetry/audit";

const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};
/** Subresources that Kubernetes serves by a connection of the caller's own. */
const CONNECT: ReadonlySet<string> = new Set(["exec", "attach", "portforward", "proxy"]);
/** Path segments in the place of the resource that select how it is served. */
const SPECIAL: ReadonlySet<string> = new Set(["watch", "proxy"]);
/** What `namespaces/<name>/` can be followed by and still be about the namespace itself. */
const OF_NAMESPACES: ReadonlySet<string> = new Set(["status", "finalize"]);

/**
 * What a request to the Kubernetes API is about, read as the API server reads it (k8s.io/apiserver, pkg/endpoints/request/requestinfo.go).
 *
 * @param path decoded; of one that names no resource nothing is kept
 */
export function actionOf(method: string, path: string, query: URLSearchParams): AuditedAction {
  const parts = path.split("/").filter((part) => part !== "");
  const isCore = parts[0] === "api";
  if ((!isCore && parts[0] !== "apis") || parts.length < (isCore ? 3 : 4)) return { verb: method.toLowerCase() };
  const apiGroup = isCore ? "" : (parts[1] ?? "");
  let rest = parts.slice(isCore ? 2 : 3);
  let verb = VERBS[method] ?? method.toLowerCase();
  const [special] = rest;
  if (special !== undefined && SPECIAL.has(special)) {
    if (rest.length < 2) return { verb: method.toLowerCase() };
    verb = special === "watch" ? "watch" : "connect";
    rest = rest.slice(1);
  }
  let namespace: string | undefined;
  if (rest[0] === "namespaces" && rest[1] !== undefined) {
    namespace = rest[1];
    if (rest[2] !== undefined && !OF_NAMESPACES.has(rest[2])) rest = rest.slice(2);
  }
  const [resource = "", name, subresource] = rest;
  if (name === undefined && verb === "get") verb = isWatch(query, path) ? "watch" : "list";
  if (name === undefined && verb === "delete") verb = "deletecollection";
  if (subresource !== undefined && CONNECT.has(subresource)) verb = "connect";
  return {
    verb,
    apiGroup,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === "exec" || subresource === "attach" ? programOf(query) : {}),
  };
}

/** The program of a command, without its arguments, and without a command line that was passed as one argument: they may hold secrets. */
function programOf(query: URLSearchParams): Pick<AuditedAction, "container" | "program" | "programArguments"> {
  const container = query.get("container");
  const [command, ...given] = query.getAll("command");
  const program = command?.split(/\s/, 1)[0];
  return {
    ...(container === null ? {} : { container }),
    ...(program === undefined ? {} : { program, programArguments: given.length }),
  };
}
