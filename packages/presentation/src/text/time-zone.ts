/** In which zone times are written. */
export type TimeZone = "local" | "utc";

const KEY = "binnacle_times";
let zone: TimeZone | undefined;

/** What was chosen in this browser; where nothing was, and where nothing can be stored: the zone of the user. */
export function timeZone(): TimeZone {
  return (zone ??= kept());
}

/** Writes times so from now on, and remembers it. Who has drawn some draws them again (`redrawTimes`). */
export function setTimeZone(next: TimeZone): void {
  zone = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // It is not remembered: the browser keeps nothing.
  }
}

/** The zone of the user, as people name it: "Europe/Berlin". */
export function localZoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function kept(): TimeZone {
  if (!("document" in globalThis)) return "local";
  try {
    return localStorage.getItem(KEY) === "utc" ? "utc" : "local";
  } catch {
    return "local";
  }
}
