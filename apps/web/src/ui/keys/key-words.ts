const WORDS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  PageUp: "Page up",
  PageDown: "Page down",
};

/** The keys of a shortcut one by one, as they stand on a keyboard: "Shift+ArrowDown" is "Shift" and "↓", "g l" is "g" and "l". */
export function keyWords(keys: string, isMac: boolean): readonly string[] {
  if (keys === " ") return ["Space"];
  // A plus sign at the end is the key itself.
  return keys.split(/ |\+(?=.)/).map((key) => {
    if (key === "Mod") return isMac ? "⌘" : "Ctrl";
    return keys.startsWith("Mod+") && key.length === 1 ? key.toUpperCase() : (WORDS[key] ?? key);
  });
}

/** Whether the keyboard has a command key. */
export function isMacKeyboard(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
