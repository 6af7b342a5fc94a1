/** The answer of the Kubernetes API to a failed request (meta/v1 Status), reduced to the fields that callers read. */
export interface KubernetesStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: "Success" | "Failure";
  readonly message: string;
  /** Stable word, "Forbidden"; empty when the server gives none. */
  readonly reason: string;
  /** HTTP status. */
  readonly code: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** metav1.StatusReason by HTTP status, as the API server pairs them. */
const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Expired",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  501: "NotImplemented",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** A failure Status; `reason` is the usual one of the code unless given. kubectl prints `message`. */
export function createStatus(
  code: number,
  message: string,
  extra: { readonly reason?: string; readonly details?: Readonly<Record<string, unknown>> } = {},
): KubernetesStatus {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: extra.reason ?? REASONS[code] ?? "",
    code,
    ...(extra.details === undefined ? {} : { details: extra.details }),
  };
}

/** The machine's word for the first cause of a Status (`details.causes[0].reason`); undefined when it gives none. */
export function causeOf(status: Pick<KubernetesStatus, "details">): string | undefined {
  const causes = status.details?.["causes"];
  const first: unknown = Array.isArray(causes) ? causes[0] : undefined;
  return typeof first === "object" && first !== null && "reason" in first && typeof first.reason === "string" ? first.reason : undefined;
}

/** Decoded JSON as a Status; `undefined` when it is something else. A missing code becomes 500 for a failure. */
export function parseStatus(value: unknown): KubernetesStatus | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "Status") return undefined;
  const status = "status" in value && value.status === "Success" ? "Success" : "Failure";
  const details = "details" in value && typeof value.details === "object" && value.details !== null ? { ...value.details } : undefined;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status,
    message: "message" in value && typeof value.message === "string" ? value.message : "",
    reason: "reason" in value && typeof value.reason === "string" ? value.reason : "",
    code: "code" in value && typeof value.code === "number" ? value.code : status === "Failure" ? 500 : 200,
    ...(details === undefined ? {} : { details }),
  };
}
