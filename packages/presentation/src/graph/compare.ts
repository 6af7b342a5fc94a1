/** Order of numbers, and of texts by code units, -1, 0 or 1: the same on every machine. */
export function compare<Value extends number | string>(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
