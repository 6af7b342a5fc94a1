import type { ResourceDefinition } from "./resource-definition.ts";

/** One reason in `details.causes` of a Status. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** `Status` of the Kubernetes API (meta/v1). */
export interface StatusBody {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Record<string, never>;
  readonly status: "Failure" | "Success";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly code: number;
}

/**
 * A refusal in the words of the Kubernetes API. Not a `Fault`: a Fault's codes cannot tell 409 AlreadyExists from
 * 409 Conflict, or say 410 and 422, and clients of a Kubernetes API act on exactly these.
 */
export class ApiError extends Error {
  readonly body: StatusBody;

  // oxlint-disable-next-line max-params -- the four fields of a Status, in its order
  constructor(code: number, reason: string, message: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = "ApiError";
    const extra = details === undefined ? {} : { details };
    this.body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, ...extra, code };
  }
}

/** `deployments.apps`, or `pods` for the core group: how the API names a resource in sentences. */
function qualifiedName(of: Pick<ResourceDefinition, "group" | "plural">): string {
  return of.group === "" ? of.plural : `${of.plural}.${of.group}`;
}

function detailsOf(of: ResourceDefinition, name: string): Readonly<Record<string, unknown>> {
  return { name, ...(of.group === "" ? {} : { group: of.group }), kind: of.plural };
}

/** 404 for one object. */
export function notFound(of: ResourceDefinition, name: string): ApiError {
  return new ApiError(404, "NotFound", `${qualifiedName(of)} "${name}" not found`, detailsOf(of, name));
}

/** 404 for a path nothing is served at. */
export function pathNotFound(): ApiError {
  return new ApiError(404, "NotFound", "the server could not find the requested resource", {});
}

/** 409: the name is taken. */
export function alreadyExists(of: ResourceDefinition, name: string): ApiError {
  return new ApiError(409, "AlreadyExists", `${qualifiedName(of)} "${name}" already exists`, detailsOf(of, name));
}

/** 409: the object is not the one, or not in the version, the caller has in mind. */
export function conflict(of: ResourceDefinition, name: string, message: string): ApiError {
  return new ApiError(409, "Conflict", `Operation cannot be fulfilled on ${qualifiedName(of)} "${name}": ${message}`, detailsOf(of, name));
}

/** The sentence of a 409 after a lost race. */
export const MODIFIED = "the object has been modified; please apply your changes to the latest version and try again";

/** 400. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

/** 422 with its causes; the sentence lists them as the API server does. */
export function invalid(of: ResourceDefinition, name: string, causes: readonly StatusCause[]): ApiError {
  const parts = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const text = parts.length === 1 ? (parts[0] ?? "") : `[${parts.join(", ")}]`;
  const kind = of.group === "" ? of.kind : `${of.kind}.${of.group}`;
  const details = { name, ...(of.group === "" ? {} : { group: of.group }), kind: of.kind, causes };
  return new ApiError(422, "Invalid", `${kind} "${name}" is invalid: ${text}`, details);
}

/** 410: the requested version is not retained any more. */
export function expired(message: string): ApiError {
  return new ApiError(410, "Expired", message);
}

/** 405. */
export function methodNotAllowed(): ApiError {
  return new ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

/** 415 with the media types that would have been understood. */
export function unsupportedMediaType(supported: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${supported.join(", ")}`;
  return new ApiError(415, "UnsupportedMediaType", message, {});
}

/** 501: part of Kubernetes, but not of this sandbox. */
export function notImplemented(what: string): ApiError {
  return new ApiError(501, "NotImplemented", `the embedded Kubernetes API does not serve ${what}; use a real control plane for that`);
}
