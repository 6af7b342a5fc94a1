const NANOS_PER_MS = 1_000_000n;
const NANOS_PER_SECOND = 1_000_000_000n;
/** "2006-01-02T15:04:05". */
const SECOND_CHARS = 19;

/**
 * A time in UTC with nine digits, as a kubelet writes it before each line of a log: "2026-11-28T11:58:20.042123456Z". A number that no calendar
 * has is written as it is.
 *
 * @param nanos nanoseconds since 1970, not negative
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/types/constants.go "RFC3339NanoFixed"
 */
export function nanosText(nanos: bigint): string {
  const date = new Date(Number(nanos / NANOS_PER_MS));
  if (Number.isNaN(date.getTime())) return String(nanos);
  return `${date.toISOString().slice(0, SECOND_CHARS)}.${String(nanos % NANOS_PER_SECOND).padStart(9, "0")}Z`;
}
