"use client";
import type { ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import styles from "./facts.module.css";
import { LongValue } from "./long-value.tsx";
import { useFewFirst } from "./use-few-first.tsx";

const FEW = 4;

/** Annotations, the first of many, and of each its beginning. */
export function Annotations({ annotations }: { readonly annotations: Readonly<Record<string, string>> }): ReactNode {
  const { shown, rest } = useFewFirst(Object.entries(annotations), FEW);
  if (shown.length === 0) return null;
  return (
    <section data-section="detail/annotations">
      <h3>{tLater("detail/annotations")}</h3>
      <dl className={styles["annotations"]}>
        {shown.map(([key, value]) => (
          <div key={key}>
            <dt>
              <LongValue text={key} />
            </dt>
            <dd>{value === "" ? <span className="muted">{tLater("drawer/empty")}</span> : <LongValue text={value} />}</dd>
          </div>
        ))}
      </dl>
      {rest}
    </section>
  );
}
