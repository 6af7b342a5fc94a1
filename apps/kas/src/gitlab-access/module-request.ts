import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { HeaderExtraSchema } from "@binnacle/proto/gitlab-access";
import type { HttpRequest, HttpRequest_Header } from "@binnacle/proto/grpctool";
import { Fault } from "@binnacle/rpc";

/** A request of a module of an agent, whole. */
export interface ModuleRequest {
  readonly module: string;
  readonly method: string;
  /** Path and query at the main application. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Largest body in each direction. */
export const MAX_MODULE_BODY_BYTES = 1024 * 1024;
/** What the main application routes below `/api/v4/internal/kubernetes/modules/`. */
const MODULES: ReadonlySet<string> = new Set(["starboard_vulnerability", "remote_development"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
/** Headers of the agent that are passed on; its identity and address are set by kas alone. */
const HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "x-request-id",
  "x-correlation-id",
]);
const MAX_PATH = 4_096;
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const NO_HEADER_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Gets the progress of a request. */
export interface ModuleRequestListener {
  begun(module: string, method: string): void;
  /** So many bytes of its body wait. */
  held(bytes: number): void;
}

/**
 * Reads a request to its end.
 *
 * @throws Fault `invalid_request`, `frame_order`, `unknown_method` for a module that the main application does not route
 */
export async function readModuleRequest(messages: AsyncIterator<HttpRequest>, listener: ModuleRequestListener): Promise<ModuleRequest> {
  const first = await next(messages);
  if (first?.case !== "header") throw new Fault("frame_order", "the first message must be a header");
  const start = startOf(first.value);
  listener.begun(start.module, start.method);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let message = await next(messages); message?.case !== "trailer"; message = await next(messages)) {
    if (message?.case !== "data") throw new Fault("frame_order", "data or the trailer must follow");
    bytes += message.value.data.byteLength;
    if (bytes > MAX_MODULE_BODY_BYTES) throw new Fault("invalid_request", `a module sends ${MAX_MODULE_BODY_BYTES} bytes at most`);
    listener.held(bytes);
    parts.push(message.value.data);
  }
  return { ...start, body: bytes === 0 ? undefined : Buffer.concat(parts) };
}

async function next(messages: AsyncIterator<HttpRequest>): Promise<HttpRequest["message"] | undefined> {
  const { done, value } = await messages.next();
  return done === true ? undefined : value.message;
}

function startOf({ request, extra }: HttpRequest_Header): Omit<ModuleRequest, "body"> {
  const module = moduleOf(extra);
  const { method = "", urlPath = "", query = {}, header = {} } = request ?? {};
  if (!METHODS.has(method)) throw new Fault("invalid_request", "the method is none that a module uses");
  const search = new URLSearchParams(Object.entries(query).flatMap(([key, { value }]) => value.map((one): [string, string] => [key, one])));
  const path = `/api/v4/internal/kubernetes/modules/${module}${encodedPath(urlPath)}${search.size === 0 ? "" : `?${search}`}`;
  if (path.length > MAX_PATH) throw new Fault("invalid_request", "the path is too long");
  const headers: Record<string, string> = {};
  for (const [name, { value }] of Object.entries(header)) {
    const key = name.toLowerCase();
    if (!HEADERS.has(key) || value[0] === undefined) continue;
    if (NO_HEADER_VALUE.test(value[0])) throw new Fault("invalid_request", `the header ${key} has characters that are not allowed`);
    headers[key] = value[0];
  }
  return { module, method, path, headers };
}

/** @throws Fault `invalid_request` for a module that the main application does not know */
function moduleOf(extra: HttpRequest_Header["extra"]): string {
  let name: string | undefined;
  try {
    name = (extra && anyUnpack(extra, HeaderExtraSchema))?.moduleName;
  } catch (error) {
    throw new Fault("invalid_request", "what goes with the request cannot be read", { cause: error });
  }
  if (name === undefined || !MODULES.has(name)) throw new Fault("unknown_method", "the main application has no such module");
  return name;
}

/** Each segment for itself, so that nothing in it leads out of the module. */
function encodedPath(path: string): string {
  if (path !== "" && !path.startsWith("/")) throw new Fault("invalid_request", "the path must begin with a slash");
  const segments = path.split("/");
  if (segments.some((segment) => segment === "." || segment === ".." || segment.includes("\\")))
    throw new Fault("invalid_request", "the path leads out of the module");
  return segments.map((segment) => encodeURIComponent(segment)).join("/");
}
