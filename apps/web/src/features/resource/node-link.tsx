"use client";
import type { LiveNode } from "../live/live-node.ts";
import type { ReactNode } from "react";
import { drawnName } from "../../ui/drawn-name.ts";
import { Name } from "../../ui/name.tsx";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import styles from "./node-link.module.css";

/** It wraps where there is less room. */
const MOST_CHARS = 34;

/** A node's name that opens it. */
export function NodeLink({ node }: { readonly node: LiveNode }): ReactNode {
  const [, setUrl] = useUrlState();
  const ref = node.ref;
  if (ref === undefined) return null;
  return (
    <button
      type="button"
      className={styles["link"]}
      title={`${ref.kind} ${drawnName(ref.name)}`}
      onClick={() => setUrl({ sel: selectionOf(ref) })}
    >
      <Name name={ref.name} room={MOST_CHARS} />
    </button>
  );
}
