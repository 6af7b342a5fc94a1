"use client";
import type { WordsId } from "@binnacle/words";
import { Fragment, useSyncExternalStore, type ReactNode } from "react";
import styles from "../keyboard-help.module.css";
import { usePreference } from "../preference.ts";
import { tLater } from "../messages.ts";
import { SCOPES, shortcutsNow, type Scope, type ShortcutNow } from "./all-shortcuts.ts";
import { ChangeKeys } from "./change-keys.tsx";
import { isMacKeyboard, keyWords } from "./key-words.ts";
import { forgetKeys, storedKeys, subscribeToKeys } from "./own-keys.ts";
import type { Shortcut } from "./shortcut.ts";
import { SINGLE_KEYS } from "./single-keys.ts";

const TITLES: Readonly<Record<Scope, WordsId>> = {
  everywhere: "keys/everywhere",
  environment: "keys/on-page-environment",
  find: "keys/in-search-field",
  graph: "ui/graph",
  list: "ui/list",
  heads: "keys/column-heads",
  tree: "keys/tree",
};

/** What the browser, or a pattern of its own, does: it is in no table of ours. */
const COMMON: readonly (readonly [WordsId, readonly Shortcut[]])[] = [
  ["keys/drawer", [{ keys: ["ArrowLeft", "ArrowRight"], does: "keys/on-tab-previous" }]],
  ["keys/drawer-panel-menu", [{ keys: ["Escape"], does: "keys/close-and-return" }]],
];

/** All shortcuts by where they act, and whether those of one character do. */
export function Shortcuts(): ReactNode {
  const [single, setSingle] = usePreference(SINGLE_KEYS);
  const stored = useSyncExternalStore(subscribeToKeys, storedKeys, () => "{}");
  const shortcuts = shortcutsNow();
  const parts: readonly (readonly [WordsId, readonly (Shortcut | ShortcutNow)[]])[] = [
    ...SCOPES.map((scope) => [TITLES[scope], shortcuts.filter((each) => each.scope === scope)] as const),
    ...COMMON,
  ];
  return (
    <div className={styles["body"]}>
      <label className={styles["single"]}>
        <input type="checkbox" checked={single === "on"} onChange={(event) => setSingle(event.target.checked ? "on" : "off")} />
        <span>
          {tLater("keys/shortcuts-one-character")}
          <small>{tLater("keys/off-only-keys")}</small>
        </span>
      </label>
      {stored !== "{}" && (
        <button type="button" className="btn sm" onClick={forgetKeys}>
          {tLater("keys/first-keys-again")}
        </button>
      )}
      {parts.map(([where, all]) => (
        <section key={where}>
          <h3>{tLater(where)}</h3>
          <dl>
            {all.map((shortcut) => (
              <Fragment key={shortcut.does}>
                <dt>
                  {shortcut.keys.map((each) => (
                    <Keys key={each} keys={each} />
                  ))}
                </dt>
                <dd>{tLater(shortcut.does)}</dd>
                {"name" in shortcut && <ChangeKeys shortcut={shortcut} />}
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** The keys of a shortcut as they stand on a keyboard. @param props.keys as `nameOfKey` says them */
function Keys({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span>
      {keyWords(keys, isMacKeyboard()).map((key, index) => (
        <kbd key={`${index} ${key}`}>{key}</kbd>
      ))}
    </span>
  );
}
