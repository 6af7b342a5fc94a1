/** Numbers from 1 to `to`. */
export function countup(to: number): number[] {
  return Array.from({ length: to }, (_, index) => index + 1);
}
