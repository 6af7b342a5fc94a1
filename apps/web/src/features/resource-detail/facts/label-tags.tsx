"use client";
import type { ReactNode } from "react";
import styles from "./facts.module.css";
import { LongValue } from "./long-value.tsx";
import { useFewFirst } from "./use-few-first.tsx";

const FEW = 12;

/** Labels, each as it is written; the first of many. */
export function LabelTags({ labels }: { readonly labels: Readonly<Record<string, string>> }): ReactNode {
  const { shown, rest } = useFewFirst(Object.entries(labels), FEW);
  return (
    <>
      <span className={styles["tags"]}>
        {shown.map(([key, value]) => (
          <span key={key} className="tag">
            <LongValue text={`${key}=${value}`} />
          </span>
        ))}
      </span>
      {rest}
    </>
  );
}
