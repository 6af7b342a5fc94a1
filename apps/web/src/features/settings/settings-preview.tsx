/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <output> may hold no blocks */
"use client";
import type { PreviewEnvironmentSettingsResponse, ReviewedAccess } from "@binnacle/proto/dashboard-settings";
import { PreviewState } from "@binnacle/proto/settings-enums";
import type { ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { Icon } from "../../ui/icon.tsx";
import { LinkedSentence } from "../environment/problem-state.tsx";
import { sentenceOfError } from "../queries/request-error.ts";
import type { SettingsFields } from "./draft.ts";
import styles from "./settings.module.css";
import { usePreview, type SettingsNames } from "./use-settings.ts";

/** Kinds that are listed by name. */
const MAX_KINDS = 6;
const MAX_SHARED = 5;

/** What the settings of the form would show of the cluster, as the viewer would see it. */
export function SettingsPreview({ names, fields }: { readonly names: SettingsNames; readonly fields: SettingsFields }): ReactNode {
  const { query, isOutdated } = usePreview(names, fields);
  const { data, error, refetch } = query;
  return (
    <section className={`panel ${styles["preview"]}`} aria-label={tLater("actions/preview")} aria-busy={isOutdated || data === undefined}>
      <header>
        <h2>{tLater("actions/preview")}</h2>
        <span className="grow" />
        {(isOutdated || (data === undefined && error === null)) && <span className="muted">{tLater("settings/previewing")}</span>}
      </header>
      <div className={isOutdated ? "stale-data" : ""} role="status">
        {data !== undefined && error === null && <Matches preview={data} />}
        {error !== null && (
          <>
            <p>{tLater("settings/preview-failed")}</p>
            <p className="muted">{sentenceOfError(error)}</p>
            <button type="button" className="btn sm" onClick={() => void refetch()}>
              {tLater("ui/try-again")}
            </button>
          </>
        )}
      </div>
      {data !== undefined && error === null && data.access.length > 0 && <Access preview={data} />}
    </section>
  );
}

function Matches({ preview }: { readonly preview: PreviewEnvironmentSettingsResponse }): ReactNode {
  const { state, total, words, link, notCompared } = preview;
  const isCounted = state === PreviewState.COMPLETE || state === PreviewState.PARTIAL;
  const isWarning = state !== PreviewState.COMPLETE && state !== PreviewState.NO_AGENT;
  return (
    <>
      {isCounted && (total > 0 || state === PreviewState.PARTIAL) && <p className={styles["matches"]}>{matchesOf(preview)}</p>}
      {words !== undefined && (
        <p className={total === 0 && (isWarning || isCounted) ? styles["warning"] : "muted"}>
          <LinkedSentence sentence={messageText(words)} link={link} />
        </p>
      )}
      {notCompared > 0 && <p className="muted">{tLater("settings/not-compared", { count: notCompared })}</p>}
    </>
  );
}

function matchesOf({ total, kinds, shared }: PreviewEnvironmentSettingsResponse): string {
  const more = kinds.length - MAX_KINDS;
  const shown = kinds
    .slice(0, MAX_KINDS)
    .map(({ kind, count }) => tLater("settings/matched-kind", { count, kind: count === 1 ? kind : pluralOf(kind) }));
  const also = shared
    .slice(0, MAX_SHARED)
    .map(({ environment, count }, index) => tLater("settings/also-in", { first: index === 0 ? "yes" : "no", count, environment }));
  return tLater("settings/matches", {
    count: total,
    kinds: shown.length === 0 ? undefined : shown.join(", "),
    more: more > 0 ? more : undefined,
    shared: also.length === 0 ? undefined : also.join(", "),
  });
}

/** As the API's own names of resources are made of kinds. */
function pluralOf(kind: string): string {
  if (/(?:[^aeiou])y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  if (/(?:ss|x|ch)$/i.test(kind)) return `${kind}es`;
  return kind.endsWith("s") ? kind : `${kind}s`;
}

function Access({ preview: { access, clusterUsername } }: { readonly preview: PreviewEnvironmentSettingsResponse }): ReactNode {
  return (
    <div className={styles["access"]}>
      <h3>{tLater("settings/access")}</h3>
      {clusterUsername !== "" && <p className="muted">{tLater("settings/as-in-cluster", { user: clusterUsername })}</p>}
      <ul>
        {access.map((each) => (
          <AccessLine key={`${each.group}/${each.resource}/${each.namespace}`} access={each} />
        ))}
      </ul>
    </div>
  );
}

function AccessLine({ access: { resource, namespace, isAllowed } }: { readonly access: ReviewedAccess }): ReactNode {
  const facts = { resource, namespace: namespace === "" ? undefined : namespace };
  return (
    <li className={isAllowed ? "" : styles["denied"]}>
      <Icon name={isAllowed ? "check" : "x"} size={12} />
      <span>{isAllowed ? tLater("settings/access-allowed", facts) : tLater("settings/access-denied", facts)}</span>
    </li>
  );
}
