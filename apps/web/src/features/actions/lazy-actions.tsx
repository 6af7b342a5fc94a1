"use client";
import type { ReactNode } from "react";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import type { ActionBarProps } from "./action-bar.tsx";
import { hasActions } from "./action-intent.ts";
import styles from "./actions.module.css";

const LAZY_BAR = new LazyCode(async () => (await import("./action-bar.tsx")).ActionBar);

/** The actions of a resource, below its details. Their place is kept until they are there, so that nothing moves; nothing for a kind without actions. */
export function ResourceActions(props: ActionBarProps): ReactNode {
  const has = hasActions(props.node.ref);
  const { code: Bar } = useLazyCode(LAZY_BAR, has);
  if (!has) return null;
  return <footer className={styles["bar"]}>{Bar !== undefined && <Bar key={props.node.id} {...props} />}</footer>;
}
