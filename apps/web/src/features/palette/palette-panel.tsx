/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <select> shows no glyphs and cannot be searched */
"use client";
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent, type ReactNode } from "react";
import { commandsNow } from "../../ui/commands.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { Icon } from "../../ui/icon.tsx";
import { nameOfKey } from "../../ui/keys/name-of-key.ts";
import { Preference } from "../../ui/preference.ts";
import { tLater } from "../../ui/messages.ts";
import { shortenMiddle } from "@binnacle/presentation/text/shorten-middle";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { resultsOf, type PaletteItem, GROUP_WORDS } from "./palette-items.ts";
import styles from "./palette.module.css";

/** So many letters of a name are shown. */
const MAX_CHARS = 46;

interface PaletteProps {
  readonly items: readonly PaletteItem[];
  /** What is not among the items, for people. */
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

const MOST = 6;
const MAX_STORED_CHARS = 4000;

/** What was chosen in the palette, the last first. */
const RECENT = new Preference<string>("palette-recent", "[]", (text): text is string => text.length <= MAX_STORED_CHARS);

/** What everything can be found in, above the page. A field and a list (ARIA combobox): the focus stays in the field, arrows choose. */
export function PalettePanel(props: PaletteProps): ReactNode {
  return (
    <Dialog title={tLater("palette/title")} open onClose={props.onClose}>
      <PaletteSearch {...props} />
    </Dialog>
  );
}

/** What the dialog holds. */
export function PaletteSearch({ items, note, onClose }: PaletteProps): ReactNode {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [recent] = useState(recentItems);
  const listId = useId();
  const all = useMemo(() => [...items, ...actions()], [items]);
  const looked = useDeferredValue(query);
  const { groups, total } = useMemo(() => resultsOf(all, looked, recent), [all, looked, recent]);
  const shown = groups.flatMap((group) => group.items);
  const index = Math.min(at, shown.length - 1);
  const current = shown[index];
  const choose = (item: PaletteItem): void => {
    rememberItem(item.id);
    onClose();
    // When the dialog has given the focus back: what is chosen may take it.
    requestAnimationFrame(() => requestAnimationFrame(() => item.run()));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = nameOfKey(event);
    if (key === "ArrowDown") setAt((index + 1) % Math.max(1, shown.length));
    else if (key === "ArrowUp") setAt((index - 1 + shown.length) % Math.max(1, shown.length));
    else if (key === "Enter" && current !== undefined) choose(current);
    else if (key === "Mod+k") onClose();
    else return;
    event.preventDefault();
  };
  const optionId = (item: PaletteItem): string => `${listId}-${item.id}`;
  const more = looked.trim() === "" ? 0 : total - shown.length;
  return (
    <div className={styles["palette"]}>
      <span className={`find ${styles["field"]}`}>
        <Icon name="search" size={16} />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the dialog to type
          autoFocus
          type="text"
          role="combobox"
          aria-label={tLater("find/palette/field")}
          placeholder={tLater("find/palette/field")}
          aria-autocomplete="list"
          aria-expanded={shown.length > 0}
          aria-controls={listId}
          aria-activedescendant={current === undefined ? undefined : optionId(current)}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </span>
      <output className="visually-hidden">{looked.trim() === "" ? "" : tLater("find/palette/number", { total })}</output>
      <div className={styles["results"]} id={listId} role="listbox" aria-label={tLater("palette/title")}>
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={tLater(GROUP_WORDS[group.title])}>
            <h3 aria-hidden="true">{tLater(GROUP_WORDS[group.title])}</h3>
            {group.items.map((item) => (
              <Option key={item.id} id={optionId(item)} item={item} isCurrent={item === current} onChoose={choose} />
            ))}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className={styles["none"]}>{tLater("find/palette/none", { what: looked.trim() })}</p>}
      {more > 0 && <p className={styles["none"]}>{tLater("find/palette/more", { count: more })}</p>}
      {note !== undefined && <p className={styles["none"]}>{note}</p>}
    </div>
  );
}

function Option(props: {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isCurrent: boolean;
  readonly onChoose: (item: PaletteItem) => void;
}): ReactNode {
  const { id, item, isCurrent, onChoose } = props;
  const name = drawnName(item.text);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and takes the keys
    <div
      ref={isCurrent ? seen : undefined}
      id={id}
      role="option"
      className={styles["option"]}
      aria-selected={isCurrent}
      title={name}
      onClick={() => onChoose(item)}
    >
      {item.look === undefined ? <span /> : <StateGlyph look={item.look} size={14} />}
      <span className={styles["text"]} aria-hidden="true">
        {shortenMiddle(name, MAX_CHARS)}
      </span>
      <span className="visually-hidden">{name} </span>
      <span className={styles["detail"]}>{[item.detail, item.state].filter((text) => text !== undefined && text !== "").join(" · ")}</span>
    </div>
  );
}

function seen(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function actions(): readonly PaletteItem[] {
  return commandsNow().map(({ id, text, run }) => ({ id: `do ${id}`, group: "Actions", text, run }));
}

/** Ids of what was chosen last; whatever else stands in the storage is nothing. */
function recentItems(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(RECENT.get());
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Remembers that it was chosen. */
function rememberItem(id: string): void {
  const ids = [id, ...recentItems().filter((each) => each !== id)].slice(0, MOST);
  const text = JSON.stringify(ids);
  if (text.length <= MAX_STORED_CHARS) RECENT.set(text);
}
