"use client";
import { useMemo, type ReactNode } from "react";
import { MultiChoice } from "../../ui/multi-choice.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import { isProblem, keyOfStatus, statusOf, WORST_FIRST, wordOf } from "../live/health-status.ts";
import { ViewLinks } from "../saved-views/view-links.tsx";
import styles from "./filter-bar.module.css";
import type { SearchHits } from "./search-hits.ts";
import { SearchField } from "./search-field.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { tLater } from "../../ui/messages.ts";

/** What the filters hide, and how they end. */
interface Hidden {
  readonly count: number;
  readonly onClear: () => void;
}

/** The filter of all views; it lives in the address. `/` goes to the search. */
export function FilterBar(props: {
  readonly children?: ReactNode;
  readonly searchLabel?: string;
  /** What the search has found. */
  readonly hits?: SearchHits | undefined;
  /** What is not shown because of the filter. */
  readonly hidden?: Hidden;
}): ReactNode {
  const { children, searchLabel = tLater("filter/find-resources"), hits, hidden } = props;
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const { complete } = useView();
  const [url, setUrl] = useUrlState();
  const facets = useMemo(() => {
    const kinds = new Set<string>();
    const namespaces = new Set<string>();
    let problems = 0;
    for (const node of store.nodes.values()) {
      kinds.add(node.ref?.kind ?? "");
      namespaces.add(node.ref?.namespace ?? "");
      if (isProblem(statusOf(node))) problems += 1;
    }
    return { kinds: [...kinds].sort(), namespaces: [...namespaces].filter((name) => name !== "").sort(), problems };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version]);
  return (
    <search className={styles["bar"]} aria-label={tLater("ui/resources")}>
      <SearchField label={searchLabel} value={url.q} onChange={(q) => setUrl({ q }, "replace")} hits={hits} />
      <MultiChoice label={tLater("ui/kind")} options={facets.kinds} chosen={url.kinds} onChange={(kinds) => setUrl({ kinds })} />
      {facets.namespaces.length > 1 && (
        <MultiChoice
          label={tLater("ui/namespace")}
          options={facets.namespaces}
          chosen={url.namespaces}
          onChange={(namespaces) => setUrl({ namespaces })}
        />
      )}
      <MultiChoice
        label={tLater("ui/health")}
        options={WORST_FIRST.map(keyOfStatus)}
        chosen={url.health}
        wordOf={(key) => wordOf(WORST_FIRST.find((status) => keyOfStatus(status) === key) ?? 0)}
        onChange={(health) => setUrl({ health })}
      />
      <button type="button" className="btn sm" aria-pressed={url.onlyProblems} onClick={() => setUrl({ onlyProblems: !url.onlyProblems })}>
        <StateGlyph look="degraded" size={14} />
        {tLater("filter/only-problems")} {(complete || facets.problems > 0) && <span className="count num">{facets.problems}</span>}
      </button>
      {hidden !== undefined && <HiddenNote {...hidden} />}
      {children}
      <ViewLinks />
    </search>
  );
}

/** A note states that the filter hides something wherever it does. */
export function HiddenNote({ count, onClear }: Hidden): ReactNode {
  if (count === 0) return null;
  return (
    <span className={styles["hidden"]}>
      <output className="num">{tLater("find/hidden", { count })}</output>
      <button type="button" className="linkish" onClick={onClear}>
        {tLater("find/hidden/clear")}
      </button>
    </span>
  );
}
