"use client";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond } from "../../ui/format-time.ts";
import { sayLater } from "../../ui/said.ts";
import { useNow } from "../../ui/use-now.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import type { LiveNode } from "../live/live-node.ts";
import styles from "./drawer.module.css";
import { successorOf } from "./successor-of.ts";
import { sayLaterWith } from "../../ui/say-with.ts";

/** When a resource was deleted, and a way to what took its place. */
export function DepartedLine({ node, atMs }: { readonly node: LiveNode; readonly atMs: number }): ReactNode {
  const now = useNow(60_000);
  const [, setUrl] = useUrlState();
  const successor = successorOf(node, useEnvironmentStore());
  const ref = successor?.ref;
  return (
    <output className={styles["gone"]}>
      {sayLaterWith("resource-detail/deleted-last-known", {
        at: (
          <ExactTime atMs={atMs} now={now}>
            {formatSecond(atMs, now === 0 ? atMs : now)}
          </ExactTime>
        ),
      })}
      {ref !== undefined && (
        <>
          {" "}
          <button type="button" className="linkish" title={`${ref.kind} ${ref.name}`} onClick={() => setUrl({ sel: selectionOf(ref) })}>
            {sayLater("drawer/open-successor")}
          </button>
        </>
      )}
    </output>
  );
}
