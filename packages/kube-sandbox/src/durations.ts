/** A duration as kubectl shows ages: at most two units, coarser the longer it is (`3m4s`, `5h`, `12d`). */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / 3_600);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return days % 365 === 0 || years >= 8 ? `${years}y` : `${years}y${days % 365}d`;
}

/** Age of a timestamp at a moment; `<unknown>` without one. */
export function ageText(timestamp: string | undefined, now: number): string {
  return timestamp === undefined ? "<unknown>" : humanDuration(now - Date.parse(timestamp));
}
