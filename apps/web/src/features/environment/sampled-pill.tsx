"use client";
import type { ReactNode } from "react";
import type { PopoverProps } from "../../ui/popover.tsx";
import { messageText, t } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useView } from "../live/environment-context.tsx";
import type { Freshness } from "../live/freshness.ts";
import { isSampled, sampledAge, sampledCount, sampledKinds, sampledMs } from "../live/sampled-kinds.ts";
import { PillPanel } from "./pill-panel.tsx";
import styles from "./pills.module.css";

/** That not every kind is followed as it changes; opens which ones, since when and why. Nothing while all are, or while none is. */
export function SampledPill({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const { sources } = useView();
  const kinds = sampledKinds(sources);
  if (kinds === undefined || freshness.kind !== "live") return null;
  const pill: PopoverProps["renderButton"] = (press) => (
    <button {...press} className={styles["pill"]} data-sampled={kinds.names.length}>
      <span>{t("environment/updates")}</span>
      <span>
        <StateGlyph look="progressing" size={14} />
        <span style={{ color: "var(--ink)" }}>{t("ui/live")}</span>
        <em>{sampledCount(kinds)}</em>
      </span>
    </button>
  );
  return (
    <PillPanel title={t("environment/polled-kinds")} renderButton={pill}>
      <SampledDetails />
    </PillPanel>
  );
}

/** Each kind without a watch: how old what is known of it is, and why. */
export function SampledDetails(): ReactNode {
  const { sources } = useView();
  const now = useNow();
  const sampled = sources.filter(isSampled).toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
  return (
    <>
      <p>{t("environment/polled-kinds-explained")}</p>
      <ul>
        {sampled.map((source) => (
          <li key={`${source.group}/${source.resource}/${source.namespace}`}>
            <b className="b">{source.group === "" ? source.resource : `${source.resource}.${source.group}`}</b>
            {source.countsForHealth && <span className="tag">{t("environment/counts-for-health")}</span>}
            <p className="num">
              {source.namespace === "" ? t("environment/all-namespaces") : source.namespace},{" "}
              <WithTimes text={sampledAge(source, now)} times={[sampledMs(source)]} now={now} />
            </p>
            <p className="muted">{messageText(source.staleWords)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
