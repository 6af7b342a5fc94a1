"use client";
import type { DetailItem, DetailRow } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { messageText, tLater } from "../../../ui/messages.ts";
import { DetailItemView } from "./detail-item.tsx";
import styles from "./facts.module.css";

/** So short that several stand in one line. */
const SHORT_CHARS = 24;

/** Facts of a resource, as terms and their descriptions, within a `dl`. */
export function DetailRows({ rows }: { readonly rows: readonly DetailRow[] }): ReactNode {
  return rows.map(({ label, items, more }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- rows have no other name: two keys may look the same
    <Row key={index} label={messageText(label)} items={items} more={more} />
  ));
}

function Row({ label, items, more }: { readonly label: string; readonly items: readonly DetailItem[]; readonly more: number }): ReactNode {
  const isLine = items.every(({ ref, at, share, words }) => !ref && !at && share === undefined && messageText(words).length <= SHORT_CHARS);
  return (
    <>
      <dt>{label}</dt>
      <dd className={isLine ? styles["line"] : styles["list"]}>
        {items.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- likewise
          <DetailItemView key={index} item={item} />
        ))}
        {more > 0 && <span className={styles["aside"]}>{tLater("ui/and-more", { count: more })}</span>}
      </dd>
    </>
  );
}
