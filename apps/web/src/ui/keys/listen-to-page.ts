import { isMacKeyboard, keyWords } from "./key-words.ts";
import { isTyping, isCharacter, nameOfKey, type KeyPress } from "./name-of-key.ts";
import { subscribeToKeys } from "./own-keys.ts";
import { keysOfPage, type PageShortcut } from "./page-shortcuts.ts";
import { SINGLE_KEYS } from "./single-keys.ts";

/** After this long two keys are not one after the other any more. */
const CHORD_MS = 1500;

/** A press, and when it was. */
export interface TimedPress extends KeyPress {
  readonly timeStamp: number;
}

/** Who takes which keys of the page. The one that came last has it. */
export class PageKeys {
  readonly #actions = new Map<string, (() => void)[]>();
  readonly #singles: () => boolean;
  #begun: { readonly key: string; readonly atMs: number } | undefined;

  /** @param singles whether shortcuts of one character act */
  constructor(singles: () => boolean) {
    this.#singles = singles;
  }

  get size(): number {
    return this.#actions.size;
  }

  add(keys: string, action: () => void): () => void {
    this.#actions.set(keys, [...(this.#actions.get(keys) ?? []), action]);
    return () => {
      const left = (this.#actions.get(keys) ?? []).filter((each) => each !== action);
      if (left.length > 0) this.#actions.set(keys, left);
      else this.#actions.delete(keys);
    };
  }

  /** The second of two keys, before anybody else sees it. `undefined`: it is not one. */
  chord(press: TimedPress): (() => void) | undefined {
    const begun = this.#begun;
    const key = nameOfKey(press);
    // Held down it is no second press; and Shift alone is on its way to a letter.
    if (key === undefined || begun === undefined || key === "Shift+Shift") return undefined;
    this.#begun = undefined;
    if (press.timeStamp - begun.atMs > CHORD_MS) return undefined;
    return this.#action(`${begun.key} ${key}`);
  }

  /** A key that nothing on the page has handled. `typing`: only those with Ctrl or Cmd act. */
  single(press: TimedPress, typing: boolean): (() => void) | undefined {
    const key = nameOfKey(press);
    if (key === undefined || (typing && !key.startsWith("Mod+"))) return undefined;
    if (this.#singles() && [...this.#actions.keys()].some((keys) => keys.startsWith(`${key} `)))
      this.#begun = { key, atMs: press.timeStamp };
    return this.#action(key);
  }

  #action(keys: string): (() => void) | undefined {
    return isCharacter(keys) && !this.#singles() ? undefined : this.#actions.get(keys)?.at(-1);
  }
}

const PAGE_KEYS = new PageKeys(() => SINGLE_KEYS.get() === "on");

/**
 * The keys of the shortcut run `action`, unless the user is typing, or a dialog is open.
 *
 * @param tell called with the first of the keys, and again when a person has changed it @returns ends it
 */
export function listenToPage(shortcut: PageShortcut, action: () => void, tell: (keys: string) => void): () => void {
  if (PAGE_KEYS.size === 0) {
    addEventListener("keydown", onChord, true);
    addEventListener("keydown", onSingle);
  }
  let leave: readonly (() => void)[] = [];
  const take = (): void => {
    for (const each of leave) each();
    const keys = keysOfPage(shortcut);
    leave = keys.map((each) => PAGE_KEYS.add(each, action));
    tell(keyWords(keys[0] ?? "", isMacKeyboard()).join(" "));
  };
  take();
  const end = subscribeToKeys(take);
  return () => {
    end();
    for (const each of leave) each();
    if (PAGE_KEYS.size > 0) return;
    removeEventListener("keydown", onChord, true);
    removeEventListener("keydown", onSingle);
  };
}

/** Before anybody else: `e` after `g` is not the `e` of what has the focus. */
function onChord(event: KeyboardEvent): void {
  if (isTyping(event.target) || isInDialog(event.target) || event.repeat) return;
  const action = PAGE_KEYS.chord(event);
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function onSingle(event: KeyboardEvent): void {
  if (event.defaultPrevented || isInDialog(event.target)) return;
  const action = PAGE_KEYS.single(event, isTyping(event.target));
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
