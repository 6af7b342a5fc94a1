"use client";
import type { DetailPart } from "@binnacle/proto/dashboard";
import { useId, useState, type ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { said } from "../../../ui/said.ts";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { DetailItemView } from "./detail-item.tsx";
import { DetailRows } from "./detail-rows.tsx";
import styles from "./facts.module.css";
import { toneLook } from "./tone-look.ts";

/** A part of a resource, such as a container: how it is, and what is told of it, which folds. */
export function DetailPartView({ part }: { readonly part: DetailPart }): ReactNode {
  const { name, kind, state, rows, folded } = part;
  const [open, setOpen] = useState(!folded);
  const id = useId();
  return (
    <li className={styles["part"]}>
      <div className={styles["head"]}>
        <button type="button" className={styles["fold"]} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <Icon name={open ? "down" : "right"} size={12} />
          <span className={styles["name"]}>{said(name)}</span>
        </button>
        {kind !== undefined && <span className="tag">{said(kind)}</span>}
      </div>
      {state !== undefined && (
        <div className={`${styles["state"]} ${toneLook(state.tone)}`}>
          <StateGlyph look={toneLook(state.tone)} size={14} />
          <DetailItemView item={state} />
        </div>
      )}
      <dl className={`facts ${styles["rows"]}`} id={id} hidden={!open}>
        {open && <DetailRows rows={rows} />}
      </dl>
    </li>
  );
}
