/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Popover } from "../../ui/popover.tsx";
import { usePreference } from "../../ui/preference.ts";
import { tLater } from "../../ui/messages.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { CHOSEN_COLUMNS, ROW_DENSITY, columnsText } from "./column-choice.ts";
import { COLUMNS, type Column } from "./columns.tsx";
import styles from "./list.module.css";

const DENSITIES = ["comfortable", "compact"] as const;

/** Which columns there are, and how close the rows: remembered in the browser, the columns in the address too. */
export function ListSettings({ columns, managed }: { readonly columns: readonly Column[]; readonly managed: boolean }): ReactNode {
  const [, setUrl] = useUrlState();
  const [, setPreferred] = usePreference(CHOSEN_COLUMNS);
  const [density, setDensity] = usePreference(ROW_DENSITY);
  const shown = new Set(columns.map(({ key }) => key));
  const choose = (key: Column["key"], isShown: boolean): void => {
    const columnKeys = columnsText(
      COLUMNS.flatMap((each) =>
        (each.key === key ? isShown : shown.has(each.key) || (each.key === "managed" && !managed)) ? each.key : [],
      ),
    );
    setPreferred(columnKeys);
    setUrl({ columns: columnKeys === "" ? [] : columnKeys.split(",") }, "replace");
  };
  return (
    <Popover
      title={tLater("find/columns")}
      focus="control"
      align="end"
      renderButton={(press) => (
        <button {...press} className="btn sm">
          {tLater("find/columns")} <Icon name="down" size={14} />
        </button>
      )}
    >
      <div className={styles["settings"]}>
        <fieldset>
          <legend>{tLater("find/columns")}</legend>
          {COLUMNS.map(({ key, title }) =>
            key === "managed" && !managed ? null : (
              <label key={key}>
                <input
                  type="checkbox"
                  checked={shown.has(key)}
                  disabled={key === "name"}
                  onChange={(event) => choose(key, event.target.checked)}
                />
                {tLater(title)}
              </label>
            ),
          )}
        </fieldset>
        <div className={styles["density"]}>
          <span>{tLater("find/density")}</span>
          <span className="seg" role="group" aria-label={tLater("find/density")}>
            {DENSITIES.map((each) => (
              <button key={each} type="button" aria-pressed={density === each} onClick={() => setDensity(each)}>
                {tLater(`find/density/${each}`)}
              </button>
            ))}
          </span>
        </div>
      </div>
    </Popover>
  );
}
