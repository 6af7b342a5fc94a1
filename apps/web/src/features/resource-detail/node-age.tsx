"use client";
import type { ReactNode } from "react";
import type { LiveNode } from "../live/live-node.ts";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatClock } from "../../ui/format-time.ts";
import { messageText, t } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useView } from "../live/environment-context.tsx";
import { sampledAge, sampledMs, sampledSourceOf } from "../live/sampled-kinds.ts";
import { tElements } from "../../ui/message-elements.ts";
import styles from "./drawer.module.css";

/** Of when a resource is that is not followed as it changes. Nothing of one that is. */
export function NodeAge({ node }: { readonly node: LiveNode }): ReactNode {
  const { kept, contentAsOfMs, sources } = useView();
  const now = useNow();
  if (kept) {
    return (
      <output className={styles["gone"]}>
        {tElements("resource-detail/last-known-state", {
          at: (
            <ExactTime atMs={contentAsOfMs} now={now}>
              {formatClock(contentAsOfMs, now)}
            </ExactTime>
          ),
        })}
      </output>
    );
  }
  const source = sampledSourceOf(node, sources);
  if (source === undefined) return null;
  const age = sampledAge(source, now);
  return (
    <p className={styles["gone"]} title={messageText(source.staleWords)}>
      <WithTimes text={t("resource-detail/not-watched", { replace: age.replace(/^a/, "A") })} times={[sampledMs(source)]} now={now} />
    </p>
  );
}
