"use client";
import type { Node } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { shortenMiddle } from "../../ui/shorten-middle.ts";
import { selectionOf } from "../environment/url-state.ts";
import { useUrlState } from "../environment/use-url-state.ts";
import styles from "./drawer.module.css";

/** A node's name that opens it. */
export function NodeLink({ node }: { readonly node: Node }): ReactNode {
  const [, setUrl] = useUrlState();
  const ref = node.ref;
  if (ref === undefined) return null;
  return (
    <button type="button" className={styles["link"]} title={`${ref.kind} ${ref.name}`} onClick={() => setUrl({ sel: selectionOf(ref) })}>
      {shortenMiddle(ref.name, 34)}
    </button>
  );
}
