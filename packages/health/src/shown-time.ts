/** A time as people read it, to the minute, in UTC: "2026-01-31 12:00". */
export function shownTime(text: string): string {
  return text.length >= 16 ? `${text.slice(0, 10)} ${text.slice(11, 16)}` : text;
}
