import type { LanguageName } from "./languages.ts";

/** The seam between this process and the pages that Next renders in it, as in `server/in-process.ts`: they share no module. */
const SEAM = Symbol.for("binnacle.language");

/** The pages of this process speak this language from now on. */
export function speakLanguage(name: LanguageName): void {
  Reflect.set(globalThis, SEAM, name);
}

/** The language of the pages of this process; English where nobody has said otherwise. */
export function spokenLanguage(): LanguageName {
  return Reflect.get(globalThis, SEAM) === "pseudo" ? "pseudo" : "en";
}
