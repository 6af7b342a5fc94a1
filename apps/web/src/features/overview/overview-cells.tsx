"use client";
import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { formatAge, formatAbsolute, millisOf } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { shortSha } from "../../ui/short-sha.ts";
import type { StateLook } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { wordOfRow } from "../environments/index-filters.tsx";
import { NOT_KNOWN_YET, NOT_VISIBLE } from "@binnacle/presentation/environments/row-order";
import { lookOf } from "../live/health-status.ts";
import { Distances } from "./distances.ts";
import type { OverviewItem } from "./overview-items.ts";
import styles from "./overview.module.css";
import { overviewClient } from "./use-overview.ts";
import { driftOf, tagOf, type CommitPair } from "./versions.ts";

const distances = new Distances(overviewClient);

/** By project the environment that the others are compared with. */
export const Productions = createContext<ReadonlyMap<string, OverviewItem>>(new Map());

/** Look of an environment: what may not be seen has a lock, and what is not known yet looks unknown. */
export function lookOfItem({ status }: OverviewItem): StateLook {
  if (status === NOT_VISIBLE) return "locked";
  return status === NOT_KNOWN_YET ? "unknown" : lookOf(status);
}

/** Status of an environment in words. */
export function statusWords({ status }: OverviewItem): string {
  return wordOfRow(status);
}

/** Which version runs, and for how long: the commit that was deployed, else the tag of its newest image. Nothing where neither is known. */
export function Version({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const now = useNow(60_000);
  const version = versionOf(row);
  if (version === undefined) return null;
  const { text, atMs } = version;
  return (
    <span className={styles["version"]}>
      <code translate="no" title={imagesTitle(row, now)}>
        {text}
      </code>
      {atMs !== undefined && now > 0 && ` ${formatAge(atMs, now)}`}
    </span>
  );
}

/** What a version is called, and since when it runs. */
function versionOf({ environment, images }: EnvironmentRow): { readonly text: string; readonly atMs: number | undefined } | undefined {
  const deployed = environment?.delivery?.lastDeployment?.value;
  const time = (at: Parameters<typeof millisOf>[0] | undefined): number | undefined => (at === undefined ? undefined : millisOf(at));
  if (deployed !== undefined) return { text: deployed.tag ? deployed.ref : shortSha(deployed.sha), atMs: time(deployed.at) };
  const [newest] = images;
  return newest === undefined ? undefined : { text: tagOf(newest.image), atMs: time(newest.since) };
}

function imagesTitle({ images, moreImages, environment }: EnvironmentRow, now: number): string {
  const lines = images.map(({ image, since }) =>
    since === undefined ? image : tLater("overview/image-since", { image, at: formatAbsolute(millisOf(since), now) }),
  );
  const title = environment?.delivery?.lastDeployment?.value?.title ?? "";
  const all =
    lines.length === 0 || moreImages === 0
      ? lines.join("\n")
      : tLater("overview/and-images", { images: lines.join("\n"), more: moreImages });
  return now === 0 ? "" : [title, all].filter(Boolean).join("\n");
}

/** How the version stands to production; nothing where it is the same, or not known. `isShort`: for a cell. */
export function DriftMark({ item, isShort = false }: { readonly item: OverviewItem; readonly isShort?: boolean }): ReactNode {
  const drift = driftOf(item, use(Productions));
  if (drift.kind === "none") return null;
  const different = tLater("overview/different-version", { base: drift.base });
  if (drift.kind === "images") return <DriftText text={different} short="≠" isShort={isShort} />;
  return <CommitDrift pair={drift.pair} base={drift.base} different={different} isShort={isShort} />;
}

function CommitDrift(props: {
  readonly pair: CommitPair;
  readonly base: string;
  readonly different: string;
  readonly isShort: boolean;
}): ReactNode {
  const { pair, base, different, isShort } = props;
  const distance = useSyncExternalStore(
    distances.subscribe,
    () => distances.of(pair),
    () => undefined,
  );
  useEffect(() => distances.want(pair), [pair]);
  if (distance?.known !== true) return <DriftText text={different} short="≠" isShort={isShort} />;
  const { ahead, behind, atLeast } = distance;
  const counted = tLater("overview/distance", { ahead, behind, base, both: ahead > 0 && behind > 0 ? "yes" : "no" });
  const plus = atLeast ? "+" : "";
  const short = [ahead > 0 ? `↑${ahead}${plus}` : "", behind > 0 ? `↓${behind}${plus}` : ""].join("");
  return (
    <DriftText text={atLeast ? tLater("overview/distance-at-least", { distance: counted }) : counted} short={short} isShort={isShort} />
  );
}

function DriftText({ text, short, isShort }: { readonly text: string; readonly short: string; readonly isShort: boolean }): ReactNode {
  return (
    <span className={styles["drift"]} title={text} data-drift={short}>
      {isShort ? <span aria-label={text}>{short}</span> : text}
    </span>
  );
}
