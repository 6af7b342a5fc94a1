/** A text with the keys that do the same; without them until they act. @param keys as `usePageKey` gives them */
export function withKeys(text: string, keys: string): string {
  return keys === "" ? text : `${text} (${keys})`;
}

/** The keys for readers, who know no keys one after the other ("aria-keyshortcuts"). @param keys as `usePageKey` gives them */
export function ariaKeys(keys: string): string | undefined {
  const aria = keys.replace("Ctrl ", "Control+").replace("⌘ ", "Meta+");
  return aria === "" || aria.includes(" ") ? undefined : aria;
}
