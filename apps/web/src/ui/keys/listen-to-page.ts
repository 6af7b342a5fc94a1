import { isMacKeyboard, keyWords } from "./key-words.ts";
import { isTyping } from "./name-of-key.ts";
import { subscribeToKeys } from "./own-keys.ts";
import { PageKeys } from "./page-keys.ts";
import { keysOfPage, type PageShortcut } from "./page-shortcuts.ts";
import { SINGLE_KEYS } from "./single-keys.ts";

const PAGE_KEYS = new PageKeys(() => SINGLE_KEYS.get() === "on");

/**
 * The keys of the shortcut run `action`, unless somebody is typing, or a dialog is open.
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
