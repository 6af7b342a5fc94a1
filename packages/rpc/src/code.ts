/**
 * The codes of Connect and gRPC, by number. They stand here once more so that a program that speaks neither through a library (agentk)
 * loads none.
 */
export const CODE = {
  Canceled: 1,
  Unknown: 2,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  ResourceExhausted: 8,
  FailedPrecondition: 9,
  Aborted: 10,
  OutOfRange: 11,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
  DataLoss: 15,
  Unauthenticated: 16,
} as const;

/** One of them. */
export type CodeNumber = (typeof CODE)[keyof typeof CODE];

const HTTP_STATUS: Readonly<Record<CodeNumber, number>> = {
  [CODE.Canceled]: 499,
  [CODE.Unknown]: 500,
  [CODE.InvalidArgument]: 400,
  [CODE.DeadlineExceeded]: 504,
  [CODE.NotFound]: 404,
  [CODE.AlreadyExists]: 409,
  [CODE.PermissionDenied]: 403,
  [CODE.ResourceExhausted]: 429,
  [CODE.FailedPrecondition]: 400,
  [CODE.Aborted]: 409,
  [CODE.OutOfRange]: 400,
  [CODE.Unimplemented]: 501,
  [CODE.Internal]: 500,
  [CODE.Unavailable]: 503,
  [CODE.DataLoss]: 500,
  [CODE.Unauthenticated]: 401,
};

/** HTTP status of a code, by the table of docs/design/conventions.md "Errors"; 500 for a code no table knows. */
export function httpStatusOf(code: number): number {
  const statuses: Readonly<Record<number, number>> = HTTP_STATUS;
  return statuses[code] ?? 500;
}
