/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <output> may hold no blocks */
import type { ReactNode } from "react";
import styles from "./skeleton.module.css";

const WIDTHS = ["80%", "64%", "90%", "72%"];

/** Rows in the shape of a table that is still to come. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }): ReactNode {
  return (
    <div className={`panel ${styles["rows"]}`} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          <span />
          {[0, 1, 2, 3].map((cell) => (
            <span key={cell} style={{ width: WIDTHS[(row + cell) % WIDTHS.length] }} />
          ))}
        </div>
      ))}
    </div>
  );
}
