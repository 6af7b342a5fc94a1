"use client";
import type { LiveNode } from "../live/live-node.ts";
import type { ReactNode } from "react";
import { shortenMiddle } from "../../ui/shorten-middle.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import styles from "./node-link.module.css";

/** A node's name that opens it. */
export function NodeLink({ node }: { readonly node: LiveNode }): ReactNode {
  const [, setUrl] = useUrlState();
  const ref = node.ref;
  if (ref === undefined) return null;
  return (
    <button type="button" className={styles["link"]} title={`${ref.kind} ${ref.name}`} onClick={() => setUrl({ sel: selectionOf(ref) })}>
      {shortenMiddle(ref.name, 34)}
    </button>
  );
}
