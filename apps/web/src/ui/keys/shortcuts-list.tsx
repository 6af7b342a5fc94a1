"use client";
import { Fragment, type ReactNode } from "react";
import { usePreference } from "../preference.ts";
import styles from "../keyboard-help.module.css";
import { isMacKeyboard, keyWords } from "./key-words.ts";
import { LOCAL_SHORTCUTS } from "./local-shortcuts.ts";
import { PAGE_SHORTCUTS } from "./page-shortcuts.ts";
import type { Shortcut } from "./shortcut.ts";
import { SINGLE_KEYS } from "./single-keys.ts";
import { sayLater } from "../said.ts";
import type { WordsId } from "@binnacle/words";

const SHORTCUTS = { ...PAGE_SHORTCUTS, ...LOCAL_SHORTCUTS };

const TITLES: Readonly<Record<keyof typeof SHORTCUTS, WordsId>> = {
  everywhere: "keys/everywhere",
  environment: "keys/on-page-environment",
  find: "keys/in-search-field",
  graph: "keys/graph",
  list: "keys/list",
  heads: "keys/heads-list-enter",
  tree: "keys/tree",
};

/** In the order of the help. */
const SCOPES = [
  "everywhere",
  "environment",
  "find",
  "graph",
  "list",
  "heads",
  "tree",
] as const satisfies readonly (keyof typeof SHORTCUTS)[];

/** What the browser, or a pattern of its own, does: no table of ours is asked for it. */
const COMMON: readonly (readonly [WordsId, readonly Shortcut[]])[] = [
  ["keys/drawer", [{ keys: ["ArrowLeft", "ArrowRight"], does: "keys/on-tab-previous" }]],
  ["keys/drawer-panel-menu", [{ keys: ["Escape"], does: "keys/close-back-where" }]],
];

/** All shortcuts by where they act, and whether those of one character do. */
export function Shortcuts(): ReactNode {
  const [single, setSingle] = usePreference(SINGLE_KEYS);
  const parts: readonly (readonly [WordsId, readonly Shortcut[]])[] = [
    ...SCOPES.map((scope) => [TITLES[scope], Object.values(SHORTCUTS[scope])] as const),
    ...COMMON,
  ];
  return (
    <div className={styles["body"]}>
      <label className={styles["single"]}>
        <input type="checkbox" checked={single === "on"} onChange={(event) => setSingle(event.target.checked ? "on" : "off")} />
        <span>
          {sayLater("keys/shortcuts-one-character")}
          <small>{sayLater("keys/off-only-keys")}</small>
        </span>
      </label>
      {parts.map(([where, shortcuts]) => (
        <section key={where}>
          <h3>{sayLater(where)}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <Fragment key={does}>
                <dt>
                  {keys.map((each) => (
                    <Keys key={each} keys={each} />
                  ))}
                </dt>
                <dd>{sayLater(does)}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function Keys({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span>
      {keyWords(keys, isMacKeyboard()).map((key, index) => (
        <kbd key={`${index} ${key}`}>{key}</kbd>
      ))}
    </span>
  );
}
