"use client";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { tLater } from "../../../ui/messages.ts";
import type { Hits } from "./find-in-text.ts";
import styles from "./yaml.module.css";

/** What is looked for in the YAML, and where one is. */
export interface YamlSearch {
  readonly query: string;
  readonly hits: Hits;
  /** From 0. */
  readonly at: number;
  readonly onQuery: (query: string) => void;
  /** Goes so many hits on, from the last to the first. */
  readonly onStep: (by: number) => void;
}

/** A field to find something in the YAML, and steps from hit to hit. */
export function FindField({ search: { query, hits, at, onQuery, onStep } }: { readonly search: YamlSearch }): ReactNode {
  const total = hits.spans.length;
  const found = total === 0 ? tLater("yaml/no-hit") : tLater(hits.isCut ? "yaml/hit/cut" : "find/hits", { at: at + 1, total });
  return (
    <>
      <span className={`find ${styles["find"]}`}>
        <Icon name="search" size={14} />
        <input
          type="search"
          aria-label={tLater("yaml/find")}
          placeholder={tLater("yaml/find")}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onQuery("");
            if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
          }}
        />
        <output className="num">{query === "" ? "" : found}</output>
      </span>
      {query !== "" && (
        <>
          <Step label={tLater("yaml/hit-before")} icon="up" isOff={total === 0} onClick={() => onStep(-1)} />
          <Step label={tLater("yaml/hit-after")} icon="down" isOff={total === 0} onClick={() => onStep(1)} />
        </>
      )}
    </>
  );
}

function Step(props: {
  readonly label: string;
  readonly icon: "up" | "down";
  readonly isOff: boolean;
  readonly onClick: () => void;
}): ReactNode {
  const { label, icon, isOff, onClick } = props;
  return (
    <button type="button" className="btn ghost icon sm" aria-label={label} title={label} aria-disabled={isOff} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
