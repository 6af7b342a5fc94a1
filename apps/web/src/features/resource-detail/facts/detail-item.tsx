"use client";
import type { DetailItem, ResourceRef } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../../ui/format-time.ts";
import { messageText, tLater } from "../../../ui/messages.ts";
import { useNow } from "../../../ui/use-now.ts";
import { useRefLink } from "../../resource/cluster-node-link.tsx";
import styles from "./facts.module.css";
import { toneLook } from "./tone-look.ts";

/** One item: a resource with a link where it is in the view, words, a time, a bar for how much is used. */
export function DetailItemView({ item }: { readonly item: DetailItem }): ReactNode {
  const { ref, words, at, share, tone } = item;
  const look = toneLook(tone);
  const text = messageText(words);
  return (
    <span className={look === "neutral" ? undefined : `${look} ${styles["toned"]}`}>
      {ref !== undefined && <Target target={ref} />}
      {ref !== undefined && text !== "" && " "}
      {text !== "" && <span className={ref === undefined || look !== "neutral" ? undefined : styles["aside"]}>{text}</span>}
      {share !== undefined && <Share share={share} />}
      {at !== undefined && <Moment atMs={millisOf(at)} isAlone={ref === undefined && text === ""} />}
    </span>
  );
}

function Target({ target }: { readonly target: ResourceRef }): ReactNode {
  const link = useRefLink(target);
  return (
    <span translate="no">
      <span className={styles["aside"]}>{target.kind}</span> {link ?? drawnName(target.name)}
    </span>
  );
}

function Share({ share }: { readonly share: number }): ReactNode {
  return (
    <span className={styles["share"]}>
      <span className={styles["meter"]} aria-hidden="true">
        <i style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
      </span>
      <span className="num">{tLater("drawer/used-share", { percent: Math.round(share * 100) })}</span>
    </span>
  );
}

function Moment({ atMs, isAlone }: { readonly atMs: number; readonly isAlone: boolean }): ReactNode {
  const now = useNow(10_000);
  const away =
    now === 0
      ? ""
      : atMs > now
        ? tLater("drawer/in", { time: formatAge(now, atMs) })
        : tLater("drawer/ago", { time: formatAge(atMs, now) });
  return (
    <span className={isAlone ? "num" : `num ${styles["aside"]}`}>
      {isAlone ? "" : " · "}
      <ExactTime atMs={atMs} now={now}>
        {formatSecond(atMs, now)}
        {away !== "" && `, ${away}`}
      </ExactTime>
    </span>
  );
}
