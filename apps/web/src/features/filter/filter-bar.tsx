"use client";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { MultiChoice } from "../../ui/multi-choice.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useSearchKey } from "../../ui/use-search-key.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import { isProblem, keyOfStatus, statusOf, WORST_FIRST, wordOf } from "../live/health-status.ts";
import styles from "./filter-bar.module.css";
import { TeamViews } from "./team-views.tsx";
import { useUrlState } from "../address/use-url-state.ts";

const TYPING_MS = 120;

/** The filter of all views; it lives in the address. `/` goes to the search. */
export function FilterBar(props: { readonly children?: ReactNode; readonly searchLabel?: string }): ReactNode {
  const { children, searchLabel = "Find resources" } = props;
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
    <search className={styles["bar"]} aria-label="Resources">
      <SearchField label={searchLabel} value={url.q} onChange={(q) => setUrl({ q }, "replace")} />
      <MultiChoice label="Kind" options={facets.kinds} chosen={url.kinds} onChange={(kinds) => setUrl({ kinds })} />
      {facets.namespaces.length > 1 && (
        <MultiChoice
          label="Namespace"
          options={facets.namespaces}
          chosen={url.namespaces}
          onChange={(namespaces) => setUrl({ namespaces })}
        />
      )}
      <MultiChoice
        label="Health"
        options={WORST_FIRST.map(keyOfStatus)}
        chosen={url.health}
        wordOf={(key) => wordOf(WORST_FIRST.find((status) => keyOfStatus(status) === key) ?? 0)}
        onChange={(health) => setUrl({ health })}
      />
      <button type="button" className="btn sm" aria-pressed={url.onlyProblems} onClick={() => setUrl({ onlyProblems: !url.onlyProblems })}>
        <StateGlyph look="degraded" size={14} />
        Only problems {(complete || facets.problems > 0) && <span className="count num">{facets.problems}</span>}
      </button>
      {children}
      <TeamViews />
    </search>
  );
}

function SearchField(props: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }): ReactNode {
  const { label, value, onChange } = props;
  const [text, setText] = useState(value);
  const [outer, setOuter] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The address changed by itself, by the back button: take it over.
  if (outer !== value) {
    setOuter(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  useSearchKey(input);
  return (
    <span className={`find ${styles["search"]}`}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setText("");
        }}
      />
      <kbd>/</kbd>
    </span>
  );
}
