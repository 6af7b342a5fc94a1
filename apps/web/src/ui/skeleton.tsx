/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <output> may hold no blocks */
import type { ReactNode } from "react";

const WIDTHS = ["80%", "64%", "90%", "72%"];

/** Rows in the shape of a table that is still to come. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }): ReactNode {
  return (
    <div className="panel" role="status" aria-label={label} style={{ padding: "4px 16px" }}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ display: "grid", gridTemplateColumns: "16px 2fr 2fr 1fr 1fr", gap: 16, alignItems: "center", height: 52 }}>
          <span className="sk" style={{ height: 16 }} />
          {[0, 1, 2, 3].map((cell) => (
            <span key={cell} className="sk" style={{ width: WIDTHS[(row + cell) % WIDTHS.length] }} />
          ))}
        </div>
      ))}
    </div>
  );
}
