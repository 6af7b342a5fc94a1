"use client";
import { Fragment, type ReactNode } from "react";
import { usePreference } from "../preference.ts";
import styles from "../keyboard-help.module.css";
import { isMacKeyboard, keyWords } from "./key-words.ts";
import { LOCAL_SHORTCUTS } from "./local-shortcuts.ts";
import { PAGE_SHORTCUTS } from "./page-shortcuts.ts";
import type { Shortcut } from "./shortcut.ts";
import { SINGLE_KEYS } from "./single-keys.ts";

const SHORTCUTS = { ...PAGE_SHORTCUTS, ...LOCAL_SHORTCUTS };

const TITLES: Readonly<Record<keyof typeof SHORTCUTS, string>> = {
  everywhere: "Everywhere",
  environment: "On the page of an environment",
  find: "In the search field",
  graph: "Graph",
  list: "List",
  heads: "Heads of the list: Enter sorts",
  tree: "Tree",
};

/** What the browser, or a pattern of its own, does: no table of ours is asked for it. */
const COMMON: readonly (readonly [string, readonly Shortcut[]])[] = [
  ["Drawer", [{ keys: ["ArrowLeft", "ArrowRight"], does: "On a tab: previous and next tab. On the edge: wider and narrower" }]],
  ["Drawer, panel, menu", [{ keys: ["Escape"], does: "Close it, and back to where one was" }]],
];

/** All shortcuts by where they act, and whether those of one character do. */
export function Shortcuts(): ReactNode {
  const [single, setSingle] = usePreference(SINGLE_KEYS);
  const parts: readonly (readonly [string, readonly Shortcut[]])[] = [
    ...Object.entries(SHORTCUTS).map(([scope, table]) => [titleOf(scope), Object.values(table)] as const),
    ...COMMON,
  ];
  return (
    <div className={styles["body"]}>
      <label className={styles["single"]}>
        <input type="checkbox" checked={single === "on"} onChange={(event) => setSingle(event.target.checked ? "on" : "off")} />
        <span>
          Shortcuts of one character
          <small>Off: only keys with Ctrl or Cmd, arrows, Enter, Space and Esc act. Remembered in this browser.</small>
        </span>
      </label>
      {parts.map(([where, shortcuts]) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <Fragment key={does}>
                <dt>
                  {keys.map((each) => (
                    <Keys key={each} keys={each} />
                  ))}
                </dt>
                <dd>{does}</dd>
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

function titleOf(scope: string): string {
  return Object.entries(TITLES).find(([each]) => each === scope)?.[1] ?? scope;
}
