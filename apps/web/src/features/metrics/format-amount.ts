const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;
const DIGITS = 3;
const LEAST = 0.001;

/** Three digits at most: "0.123", "12.3", "1230"; "<0.001" for less that is not nothing. */
export function formatNumber(amount: number): string {
  if (amount > 0 && amount < LEAST) return `<${LEAST}`;
  const rounded = amount >= 10 ** DIGITS ? Math.round(amount) : Number(amount.toPrecision(DIGITS));
  return String(amount < 1 ? Number(rounded.toFixed(DIGITS)) : rounded);
}

/** "64 MiB", "1.5 GiB": the largest unit of which there is one. */
export function formatBytes(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  // What would be rounded to 1024 of a unit is one of the next.
  while (amount >= 1_023.5 && unit < UNITS.length - 1) [amount, unit] = [amount / 1_024, unit + 1];
  return `${formatNumber(unit === 0 ? Math.round(amount) : amount)} ${UNITS[unit] ?? ""}`;
}
