/** What of a key press says which key it was. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * The key as the table of shortcuts calls it: "n", "N", "Shift+ArrowDown", "Mod+k" for Ctrl or Cmd. `undefined` for one with Alt, which types
 * letters on many keyboards.
 */
export function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | undefined {
  if (altKey) return undefined;
  const isLetter = key.length === 1;
  if (ctrlKey || metaKey) return `Mod+${shiftKey ? "Shift+" : ""}${isLetter ? key.toLowerCase() : key}`;
  // What Shift does to a letter is the letter.
  return shiftKey && (!isLetter || key === " ") ? `Shift+${key}` : key;
}

/** Whether it is pressed by typing one character, which those who speak to their computer do unknowingly (WCAG 2.1.4). */
export function isCharacter(keys: string): boolean {
  return keys.split(" ").every((key) => key.length === 1);
}

/** Whether a text is being typed where this element is. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]")
  );
}
