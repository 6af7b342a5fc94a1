/** Numbers from `from` down to 1. A rule small enough to plant every sort of fault in; see fault-run.test.ts. */
export function countdown(from: number): number[] {
  const numbers: number[] = [];
  for (let left = from; left > 0; left -= 1) numbers.push(left);
  return numbers;
}
