/** Longer lists are rare; their paths are made anew each time, so that what is kept stays small. */
const CACHED_INDEXES = 256;

/**
 * Where a field stands, for example "spec.containers[0].envFrom[1].configMapRef.name". Thousands of objects have the same
 * shape: every path is made once and then shared, which saves most of the memory of references.
 */
export class FieldPath {
  static readonly #root = new FieldPath("");
  /** The path as text; empty for the object itself. */
  readonly text: string;
  readonly #fields = new Map<string, FieldPath>();
  readonly #items = new Map<number, FieldPath>();

  private constructor(text: string) {
    this.text = text;
  }

  /** Path of a field, from the object down. Names are kept for ever: only those that stand in the source code. */
  static of(...names: string[]): FieldPath {
    return names.reduce((path, name) => path.field(name), FieldPath.#root);
  }

  /** A path that was found in an object. It is not kept. */
  static from(text: string): FieldPath {
    return new FieldPath(text);
  }

  /** Path of a field below; the name is kept for ever. */
  field(name: string): FieldPath {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const made = new FieldPath(this.text === "" ? name : `${this.text}.${name}`);
    this.#fields.set(name, made);
    return made;
  }

  /** Path of an item below. */
  at(index: number): FieldPath {
    const known = this.#items.get(index);
    if (known !== undefined) return known;
    const made = new FieldPath(`${this.text}[${index}]`);
    if (index < CACHED_INDEXES) this.#items.set(index, made);
    return made;
  }
}
