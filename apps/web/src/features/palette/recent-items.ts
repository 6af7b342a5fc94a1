import { Preference } from "../../ui/preference.ts";

const MOST = 6;
const MOST_CHARS = 4000;

/** What was chosen in the palette, the last first. */
const RECENT = new Preference<string>("palette-recent", "[]", (text): text is string => text.length <= MOST_CHARS);

/** Ids of what was chosen last; whatever else stands in the storage is nothing. */
export function recentItems(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(RECENT.get());
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Remembers that it was chosen. */
export function rememberItem(id: string): void {
  const ids = [id, ...recentItems().filter((each) => each !== id)].slice(0, MOST);
  const text = JSON.stringify(ids);
  if (text.length <= MOST_CHARS) RECENT.set(text);
}
