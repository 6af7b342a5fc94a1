/** A piece of a template: text as it is, a place, or a part that is left out when one of its places is empty. */
export type Piece = string | Place | { readonly optional: readonly Piece[] };

/** Where a fact stands in a sentence. */
export interface Place {
  readonly name: string;
  /** Its first letter is a capital. */
  readonly capital: boolean;
  /** Texts by plural category, with `#` for the number; `undefined` = the fact as it is. */
  readonly plural: ReadonlyMap<string, string> | undefined;
}

const TOKEN = /\[([^[\]]*)\]|\{(\^?)(\w+)(?::([^{}]*))?\}/g;

/** Reads a template of a catalogue. Every text is one: what is no place stands for itself. */
export function parseTemplate(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(TOKEN)) {
    const [token, part, capital, name = "", plural] = match;
    if (match.index > end) pieces.push(template.slice(end, match.index));
    pieces.push(
      part === undefined
        ? { name, capital: capital === "^", plural: plural === undefined ? undefined : pluralOf(plural) }
        : { optional: parseTemplate(part) },
    );
    end = match.index + token.length;
  }
  if (end < template.length) pieces.push(template.slice(end));
  return pieces;
}

/** Names of the places of a template, each once. */
export function placesOf(template: string): ReadonlySet<string> {
  return new Set(parseTemplate(template).flatMap(namesIn));
}

/** Whether a piece is a place. */
export function isPlace(piece: Piece): piece is Place {
  return typeof piece !== "string" && "name" in piece;
}

function namesIn(piece: Piece): string[] {
  if (typeof piece === "string") return [];
  return isPlace(piece) ? [piece.name] : piece.optional.flatMap(namesIn);
}

function pluralOf(choices: string): ReadonlyMap<string, string> {
  return new Map(
    choices.split("|").map((choice) => {
      const at = choice.indexOf("=");
      return [choice.slice(0, at), choice.slice(at + 1)];
    }),
  );
}
