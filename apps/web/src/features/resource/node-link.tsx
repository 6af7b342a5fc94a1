"use client";
import type { LiveNode } from "../live/live-node.ts";
import type { ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { Name } from "../../ui/name.tsx";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import styles from "./node-link.module.css";

/** It wraps where there is less room. */
const MAX_CHARS = 34;

/** A node's name that opens it. */
export function NodeLink({ node }: { readonly node: LiveNode }): ReactNode {
  const ref = node.ref;
  if (ref === undefined) return null;
  return (
    <StateLink change={{ sel: selectionOf(ref) }} className={styles["link"]} translate="no" title={`${ref.kind} ${drawnName(ref.name)}`}>
      <Name name={ref.name} room={MAX_CHARS} />
    </StateLink>
  );
}
