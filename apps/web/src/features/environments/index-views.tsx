"use client";
import type { MouseEvent, ReactNode } from "react";
import { isPlainClick } from "../address/state-link.tsx";
import { encodeIndexState, parseIndexState, type IndexState } from "../address/index-state.ts";

const VIEWS = [
  { view: "environments", word: "Environments" },
  { view: "issues", word: "Issues" },
] as const satisfies readonly { readonly view: IndexState["view"]; readonly word: string }[];

const NOTHING = parseIndexState(new URLSearchParams());

/** The two views of the index, as links: each has an address. */
export function IndexViews(props: { readonly view: IndexState["view"]; readonly onView: (view: IndexState["view"]) => void }): ReactNode {
  const { view: here, onView } = props;
  return (
    <nav className="seg" aria-label="Views">
      {VIEWS.map(({ view, word }) => {
        const go = (event: MouseEvent): void => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          onView(view);
        };
        return (
          <a key={view} href={encodeIndexState({ ...NOTHING, view }) || "?"} aria-current={view === here ? "page" : undefined} onClick={go}>
            {word}
          </a>
        );
      })}
    </nav>
  );
}
