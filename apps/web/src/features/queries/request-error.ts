import { Code, type ConnectError } from "@connectrpc/connect";

/** What another try cannot change as long as nothing else does. */
const LASTING: ReadonlySet<Code> = new Set([
  Code.Canceled,
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unimplemented,
]);

/** What says that nothing was done. Any other failure may have come after it was. */
const REFUSING: ReadonlySet<Code> = new Set([
  Code.Aborted,
  Code.FailedPrecondition,
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.ResourceExhausted,
  Code.Unauthenticated,
  Code.Unimplemented,
]);

/** Whether the request was rejected and so had no effect; after any other failure this is unknown. */
export function isRefusal(error: unknown): boolean {
  return REFUSING.has(refusalOf(error).code);
}

/** Whether a retry may succeed: there was no answer, or a server was busy. */
export function isPassing(error: unknown): boolean {
  return !LASTING.has(refusalOf(error).code);
}

/** Whether the same question is answered in the same manner as long as the programs are the same: the server cannot process it. */
export function isPermanent(error: unknown): boolean {
  const { code } = refusalOf(error);
  return code === Code.InvalidArgument || code === Code.Unimplemented;
}

/** Whether the viewer is not allowed to read it. */
export function isDenied(error: unknown): boolean {
  return error !== null && error !== undefined && refusalOf(error).code === Code.PermissionDenied;
}

/** Whether the session is over. */
export function isSessionEnd(error: unknown): boolean {
  return refusalOf(error).code === Code.Unauthenticated;
}

/** The sentence of the server, for people; `undefined` without an error. */
export function sentenceOfError(error: unknown): string | undefined {
  return error === null || error === undefined ? undefined : refusalOf(error).rawMessage;
}

/**
 * What `ConnectError.from` says of an error. Pages read errors before their first request, and its class brings a protobuf runtime
 * with it, which only they who ask have loaded.
 */
function refusalOf(error: unknown): Pick<ConnectError, "code" | "rawMessage"> {
  if (!(error instanceof Error)) return { code: Code.Unknown, rawMessage: String(error) };
  const { name, message } = error;
  const [code, rawMessage]: unknown[] = [Reflect.get(error, "code"), Reflect.get(error, "rawMessage")];
  if (name === "ConnectError" && typeof code === "number" && typeof rawMessage === "string") return { code, rawMessage };
  return { code: name === "AbortError" || name === "TimeoutError" ? Code.Canceled : Code.Unknown, rawMessage: message };
}
