import { CODE, type CodeNumber } from "./code.ts";

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
