import type { Declaration } from "./declarations.ts";

/** A name that changes where it is declared, and with it everywhere. */
export interface NameChange {
  /** File that declares it, from the root, by its path before or after the moves of the same list. */
  readonly file: string;
  /** The name, after those of what it is declared in where it is not the only one of its file: `Backoff.next`, `#tries`, `parse.text`. */
  readonly from: string;
  /** Needed where the name is one of a variable and of a member, too: a member's may be a key that is read elsewhere. */
  readonly scope?: Declaration["scope"];
  /** The new name alone; of a private member with its `#`. */
  readonly to: string;
}

/** What a run of renames changes. */
export interface RenameList {
  /** Files and folders by their paths from the root; the new path of each. */
  readonly paths: Readonly<Record<string, string>>;
  readonly names: readonly NameChange[];
}

/** Reads a list: `{"paths": {"old.ts": "new.ts"}, "names": [{"file": "new.ts", "from": "old", "to": "new"}]}`. @throws Error naming the entry that is wrong */
export function parseRenameList(text: string): RenameList {
  const list: unknown = JSON.parse(text);
  const { paths = {}, names = [] } = fieldsOf(list);
  for (const [from, to] of Object.entries(fieldsOf(paths))) {
    if (typeof to !== "string" || to.startsWith("/") || from === to) throw new Error(`paths: ${from} has no new path`);
  }
  if (!Array.isArray(names)) throw new Error("names is not a list");
  for (const entry of names as readonly unknown[]) {
    const { file, from, to } = fieldsOf(entry);
    const isName =
      typeof file === "string" && typeof from === "string" && typeof to === "string" && /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(to);
    if (!isName) throw new Error(`names: ${JSON.stringify(entry)} has no file, from or to`);
  }
  return { paths: paths as Record<string, string>, names: names as NameChange[] };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is no object`);
  return value as Record<string, unknown>;
}
