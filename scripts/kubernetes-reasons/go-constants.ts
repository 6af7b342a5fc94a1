/** A constant with a text. */
export interface GoConstant {
  readonly name: string;
  /** As written; empty for one without. */
  readonly type: string;
  readonly value: string;
}

/** What begins with a small letter in a function is a variable and not a constant. */
const CONSTANT = /^(?:const\s+|var\s+|\s*(?=[A-Z]))([A-Za-z_]\w*)(?:\s+([A-Za-z_][\w.]*))?\s*=\s*(?:errors\.New\()?"([^"\n]*)"\)?\s*$/gm;

/** Constants with a text, and errors, which are constants in all but name; of Go source without comments. */
export function constantsOf(source: string): GoConstant[] {
  return Array.from(source.matchAll(CONSTANT), ([, name = "", type = "", value = ""]) => ({ name, type, value }));
}

/** What the expressions of a file stand for. */
export class GoTexts {
  readonly #constants: ReadonlyMap<string, string>;
  readonly #source: string;

  constructor(constants: ReadonlyMap<string, string>, source: string) {
    this.#constants = constants;
    this.#source = source;
  }

  /**
   * The texts that an expression at a place of the file may be: of a literal, of a constant, or all that a variable of that name is given
   * in its function before.
   */
  of(expression: string, place: number): string[] {
    const literal = /^(?:string\()?"([^"\\]*)"\)?$/.exec(expression);
    if (literal !== null) return [literal[1] ?? ""];
    const name = /\w+$/.exec(expression)?.[0] ?? "";
    if (name === expression) {
      const from = this.#source.lastIndexOf("\nfunc ", place);
      const given = this.#source
        .slice(Math.max(0, from), place)
        .matchAll(new RegExp(`\\b${name}\\s*:?=\\s*([\\w.]+|"[^"\\n]*")\\s*$`, "gm"));
      const values = Array.from(given, ([, value = ""]) => this.of(value, 0)).flat();
      if (values.length > 0) return values;
    }
    const value = this.#constants.get(name);
    return value === undefined ? [] : [value];
  }
}
