/**
 * The messages of one language as they are written: id → text in ICU MessageFormat, with these rules:
 *
 * - `{name}` is filled with the value of that name, and `{Name}` with the value of `name` that begins with a capital letter.
 * - `{count, plural, one {{count} pod} other {{count} pods}}` takes the text of the plural category of the number. `#` is not used: it would
 *   group digits.
 * - `{has_name, select, no {} other { of {name}}}` leaves a part out where the value of `name` is empty.
 * - Other formats (number, date, tags, ordinals) are not used: `compileMessage` rejects them.
 */
export type Catalogue = Readonly<Record<string, string>>;

/** The messages of one language as they are rendered: id → what `compileMessage` has made of the text. */
export type CompiledCatalogue = Readonly<Record<string, CompiledMessage>>;

/** A text without placeholders, or parts in their order. It is JSON and short, because pages carry messages in their HTML. */
export type CompiledMessage = string | readonly MessagePart[];

/** Text as it is, a placeholder, or a choice of a text by the value of a placeholder. */
export type MessagePart = string | readonly [name: string] | readonly [name: string, kind: "plural" | "select", options: MessageOptions];

/** What a choice has for each key: a plural category, `=1`, or a value; "other" stands for the rest. */
type MessageOptions = Readonly<Record<string, CompiledMessage>>;

/** What a placeholder says of another value: whether it is empty ("no"). */
const PRESENCE = "has_";

/** Names of the values that a message shows or chooses by, each once. */
export function placesOf(message: CompiledMessage): ReadonlySet<string> {
  return new Set(placeholdersOf(message).map((placeholder) => readPlaceholder(placeholder).name));
}

/** The placeholders of a message as they are written, each once. */
export function placeholdersOf(message: CompiledMessage): readonly string[] {
  return typeof message === "string" ? [] : [...new Set(message.flatMap(placeholdersIn))];
}

/** The value that a placeholder stands for, and in which form. */
export function readPlaceholder(placeholder: string): { readonly name: string; readonly form: "text" | "capital" | "presence" } {
  if (placeholder.startsWith(PRESENCE)) return { name: placeholder.slice(PRESENCE.length), form: "presence" };
  const name = placeholder.charAt(0).toLowerCase() + placeholder.slice(1);
  return { name, form: name === placeholder ? "text" : "capital" };
}

function placeholdersIn(part: MessagePart): readonly string[] {
  if (typeof part === "string") return [];
  const [name, , options = {}] = part;
  return [name, ...Object.values(options).flatMap(placeholdersOf)];
}
