/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
import type { CSSProperties, ReactNode } from "react";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { lookOf } from "../live/health-status.ts";
import type { ListRow } from "./list-rows.ts";
import styles from "./list.module.css";

/** The head of a group: its kind, how many, and the worst of them. */
export function GroupRow(props: {
  readonly row: Extract<ListRow, { readonly type: "group" }>;
  readonly index: number;
  readonly place: CSSProperties;
}): ReactNode {
  const { row, index, place } = props;
  return (
    <div className={`${styles["row"]} ${styles["group"]}`} role="row" aria-rowindex={index} style={place}>
      <span role="rowheader">
        <StateGlyph look={lookOf(row.worst)} size={14} /> <span translate="no">{row.kind}</span>{" "}
        <span className="count num">{row.count}</span>
      </span>
    </div>
  );
}
