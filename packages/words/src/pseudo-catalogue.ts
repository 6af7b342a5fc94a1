import type { Catalogue } from "./catalogue.ts";

const PLAIN = "aeiouyncAEIOUYNC";
const ACCENTED = "áéíóúýñçÁÉÍÓÚÝÑÇ";

/**
 * A language for tests: every sentence stands in ⟦brackets⟧ and has accents, its places stay. A text on the screen without them did not come
 * through a catalogue.
 */
export function pseudoCatalogue(catalogue: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(catalogue).map(([id, template]) => [id, `⟦${accented(template)}⟧`]));
}

/** Places stay, but for the texts by plural category: "one=# pod|other=# pods". */
function accented(template: string): string {
  return template.replaceAll(/\{(\^?\w+)(?::([^{}]*))?\}|[a-z]/gi, (token, place: string | undefined, plural: string | undefined) => {
    if (place === undefined) return accent(token);
    return plural === undefined ? token : `{${place}:${plural.split("|").map(accentedForm).join("|")}}`;
  });
}

/** The name of the plural category stays. */
function accentedForm(form: string): string {
  const [category, ...text] = form.split("=");
  return [category, ...text.map((part) => part.replaceAll(/[a-z]/gi, accent))].join("=");
}

function accent(letter: string): string {
  const at = PLAIN.indexOf(letter);
  return at < 0 ? letter : ACCENTED.charAt(at);
}
