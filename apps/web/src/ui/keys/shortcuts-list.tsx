"use client";
import { Fragment, useSyncExternalStore, type ReactNode } from "react";
import { usePreference } from "../preference.ts";
import styles from "../keyboard-help.module.css";
import { shortcutsNow, type Scope, type ShortcutNow } from "./all-shortcuts.ts";
import { ChangeKeys } from "./change-keys.tsx";
import { Keys } from "./keys.tsx";
import { forgetKeys, storedKeys, subscribeToKeys } from "./own-keys.ts";
import type { Shortcut } from "./shortcut.ts";
import { SINGLE_KEYS } from "./single-keys.ts";

const TITLES: Readonly<Record<Scope, string>> = {
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
  const stored = useSyncExternalStore(subscribeToKeys, storedKeys, () => "{}");
  const shortcuts = shortcutsNow();
  // The names of the table are the names of its type.
  const parts: readonly (readonly [string, readonly (Shortcut | ShortcutNow)[]])[] = [
    ...(Object.keys(TITLES) as Scope[]).map((scope) => [TITLES[scope], shortcuts.filter((each) => each.scope === scope)] as const),
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
      {stored !== "{}" && (
        <button type="button" className="btn sm" onClick={forgetKeys}>
          Give all shortcuts their first keys again
        </button>
      )}
      {parts.map(([where, all]) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {all.map((shortcut) => (
              <Fragment key={shortcut.does}>
                <dt>
                  {shortcut.keys.map((each) => (
                    <Keys key={each} keys={each} />
                  ))}
                </dt>
                <dd>{shortcut.does}</dd>
                {"name" in shortcut && <ChangeKeys shortcut={shortcut} />}
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
