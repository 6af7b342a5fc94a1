import { LOCAL_SHORTCUTS } from "./local-shortcuts.ts";
import { withOwn } from "./own-keys.ts";
import { PAGE_SHORTCUTS } from "./page-shortcuts.ts";
import type { Shortcut } from "./shortcut.ts";

const SHORTCUTS = { ...PAGE_SHORTCUTS, ...LOCAL_SHORTCUTS };

/** Where a shortcut acts. */
export type Scope = keyof typeof SHORTCUTS;

/** A shortcut as it is now. */
export interface ShortcutNow extends Shortcut {
  /** "graph.fit" */
  readonly name: string;
  readonly scope: Scope;
}

// The names of the table are the names of its type.
/** Where shortcuts act, in the order of the help. */
export const SCOPES = Object.keys(SHORTCUTS) as readonly Scope[];

/** Every shortcut with the keys that it has now. */
export function shortcutsNow(): readonly ShortcutNow[] {
  return SCOPES.flatMap((scope) =>
    Object.entries<Shortcut>(SHORTCUTS[scope]).map(([id, { keys, does }]) => {
      const name = `${scope}.${id}`;
      return { name, scope, does, keys: withOwn(name, keys) };
    }),
  );
}

/**
 * Who has these keys already where the shortcut acts, or is begun by them, or begins them: a part of the page takes its keys before the page.
 * `undefined`: they are free.
 */
export function takenBy(wanted: Pick<ShortcutNow, "name" | "scope">, keys: string): ShortcutNow | undefined {
  const meets = ({ scope }: ShortcutNow): boolean => scope === wanted.scope || isOfPage(scope) || isOfPage(wanted.scope);
  return shortcutsNow().find((other) => other.name !== wanted.name && meets(other) && other.keys.some((each) => clash(each, keys)));
}

/** Whether it acts wherever the focus is; only there two keys may be one shortcut. */
export function isOfPage(scope: Scope): boolean {
  return scope in PAGE_SHORTCUTS;
}

function clash(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}
