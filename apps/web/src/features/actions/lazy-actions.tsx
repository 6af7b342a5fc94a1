"use client";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import type { ActionBarProps } from "./action-bar.tsx";
import { actionsOfKind } from "./actions-of-kinds.ts";
import styles from "./actions.module.css";

const LAZY_BAR = new LazyCode(async () => (await import("./action-bar.tsx")).ActionBar);

/** Whether a resource may have actions; the server says which, and of an object of the cluster whether it is one of the environment. */
export function hasActions(ref: Pick<ResourceRef, "name"> | undefined): boolean {
  return ref !== undefined && ref.name !== "";
}

/** The actions of a resource, below its details. Their place is kept until they are there, so that nothing moves; nothing for a kind without actions. */
export function ResourceActions(props: ActionBarProps): ReactNode {
  const { ref } = props.node;
  const has = hasActions(ref);
  const { code: Bar } = useLazyCode(LAZY_BAR, has);
  if (!has || ref === undefined) return null;
  // Most resources of a kind with actions are offered one: their space is reserved before the server has answered.
  const isReserved = actionsOfKind(ref) !== undefined;
  return (
    <footer className={`${styles["bar"]} ${isReserved ? styles["reserved"] : ""}`}>
      {Bar !== undefined && <Bar key={props.node.id} {...props} isReserved={isReserved} />}
    </footer>
  );
}
