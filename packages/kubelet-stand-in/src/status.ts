/** `Status` of the Kubernetes API (meta/v1), as far as it is written here. */
export interface Status {
  readonly metadata: Record<string, never>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason: string; readonly message: string }[] };
  readonly code?: number;
}

/** The request is rejected before anything is upgraded or written. */
export class StreamError extends Error {
  readonly code: number;
  readonly reason: "BadRequest" | "NotFound" | "InternalError" | "Forbidden" | "MethodNotAllowed";

  constructor(code: number, reason: StreamError["reason"], message: string) {
    super(message);
    this.name = "StreamError";
    this.code = code;
    this.reason = reason;
  }
}

/** 400. */
export function badRequest(message: string): StreamError {
  return new StreamError(400, "BadRequest", message);
}

/** The exit code in the status of a command. */
export function exitCodeOf({ status, details }: Status): number {
  return status === "Success" ? 0 : Number(details?.causes[0]?.message ?? "1");
}

/** Status of a command by its exit code: reason `NonZeroExitCode` with the code as cause, as client-go's remotecommand reads it. */
export function exitStatus(code: number): Status {
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}
