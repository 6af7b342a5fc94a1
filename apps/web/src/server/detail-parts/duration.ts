import { words, type Words } from "@binnacle/words";

/** A length of time in its two largest units. */
export function durationWords(ms: number): Words {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600), Math.floor(seconds / 86_400)];
  if (days > 0) return words("detail/duration-days", { days, hours: hours % 24 });
  if (hours > 0) return words("detail/duration-hours", { hours, minutes: minutes % 60 });
  return minutes > 0 ? words("detail/duration-minutes", { minutes, seconds: seconds % 60 }) : words("detail/duration-seconds", { seconds });
}
