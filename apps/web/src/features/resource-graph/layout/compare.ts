/** Order of code units, -1, 0 or 1: the same on every machine. */
export function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
