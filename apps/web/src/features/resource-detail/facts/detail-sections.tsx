"use client";
import type { DetailSection } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { said, sayLater } from "../../../ui/said.ts";
import { DetailPartView } from "./detail-part.tsx";
import { DetailRows } from "./detail-rows.tsx";
import styles from "./facts.module.css";

/** What belongs together of what is told of a resource: its containers, its ports, its rules. */
export function DetailSections({ sections }: { readonly sections: readonly DetailSection[] }): ReactNode {
  return sections.map(({ title, rows, parts, more }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they come in an order of their kind's own
    <section key={index} data-section={title?.id}>
      <h3>{said(title)}</h3>
      {rows.length > 0 && (
        <dl className={`facts ${styles["rows"]} ${styles["named"]}`}>
          <DetailRows rows={rows} />
        </dl>
      )}
      {parts.length > 0 && (
        <ul className={styles["parts"]}>
          {parts.map((part) => (
            <DetailPartView key={said(part.name)} part={part} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className="muted">
          {sayLater("drawer/more", { count: more })}: {sayLater("drawer/in-yaml")}
        </p>
      )}
    </section>
  ));
}
