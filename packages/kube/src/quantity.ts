/** Suffixes of Kubernetes quantities. */
export const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["n", 1e-9],
  ["u", 1e-6],
  ["m", 1e-3],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12],
  ["P", 1e15],
  ["E", 1e18],
  ["Ki", 2 ** 10],
  ["Mi", 2 ** 20],
  ["Gi", 2 ** 30],
  ["Ti", 2 ** 40],
  ["Pi", 2 ** 50],
  ["Ei", 2 ** 60],
]);

/** No quantity that Kubernetes writes is longer. */
const MAX_CHARS = 40;

/** The number that a quantity stands for ("500m", "1.5Gi", "1e3", 3); `undefined` when it is none. Shape: apimachinery's resource.Quantity. */
export function quantityOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.length > MAX_CHARS) return undefined;
  const parts = /^([+-]?\d+(?:\.\d*)?)(?:([eE][+-]?\d+)|([numkKMGTPEi]{0,2}))$/.exec(value);
  const unit = UNITS.get(parts?.[3] ?? "");
  return parts === null || unit === undefined ? undefined : Number(`${parts[1] ?? ""}${parts[2] ?? ""}`) * unit;
}
