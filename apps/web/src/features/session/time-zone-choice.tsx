/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { useState, type ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import { localZoneName, setTimeZone, timeZone } from "../../ui/time-zone.ts";
import { redrawTimes } from "../../ui/use-now.ts";
import styles from "./user-menu.module.css";

/** In which zone times are written; kept in the browser. Its other pages take it up when they are loaded. */
export function TimeZoneChoice(): ReactNode {
  const [chosen, setChosen] = useState(timeZone);
  return (
    <div className={styles["times"]} role="group" aria-label={sayLater("menu/times")}>
      <span className="muted">{sayLater("menu/times")}</span>
      <span className="seg">
        {(["local", "utc"] as const).map((zone) => (
          <button
            key={zone}
            type="button"
            aria-pressed={chosen === zone}
            onClick={() => {
              setTimeZone(zone);
              setChosen(zone);
              redrawTimes();
            }}
          >
            {zone === "utc" ? "UTC" : sayLater("menu/times/local", { zone: localZoneName() })}
          </button>
        ))}
      </span>
    </div>
  );
}
