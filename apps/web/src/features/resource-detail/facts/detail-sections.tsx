"use client";
import type { DetailSection, DetailPart } from "@binnacle/proto/dashboard";
import { type ReactNode, useId, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { messageText, tLater } from "../../../ui/messages.ts";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { DetailItemView } from "./detail-item.tsx";
import { DetailRows } from "./detail-rows.tsx";
import styles from "./facts.module.css";
import { toneLook } from "./tone-look.ts";

/** A group of facts of a resource: its containers, its ports, its rules. */
export function DetailSections({ sections }: { readonly sections: readonly DetailSection[] }): ReactNode {
  return sections.map(({ title, rows, parts, more }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they come in an order of their kind's own
    <section key={index} data-section={title?.id}>
      <h3>{messageText(title)}</h3>
      {rows.length > 0 && (
        <dl className={`facts ${styles["rows"]} ${styles["named"]}`}>
          <DetailRows rows={rows} />
        </dl>
      )}
      {parts.length > 0 && (
        <ul className={styles["parts"]}>
          {parts.map((part) => (
            <DetailPartView key={messageText(part.name)} part={part} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className="muted">
          {tLater("ui/and-more", { count: more })}: {tLater("drawer/in-yaml")}
        </p>
      )}
    </section>
  ));
}

/** A part of a resource, such as a container: its state, and its facts, which fold. */
function DetailPartView({ part }: { readonly part: DetailPart }): ReactNode {
  const { name, kind, state, rows, folded } = part;
  const [open, setOpen] = useState(!folded);
  const id = useId();
  return (
    <li className={styles["part"]}>
      <div className={styles["head"]}>
        <button type="button" className={styles["fold"]} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <Icon name={open ? "down" : "right"} size={12} />
          <span className={styles["name"]}>{messageText(name)}</span>
        </button>
        {kind !== undefined && <span className="tag">{messageText(kind)}</span>}
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
