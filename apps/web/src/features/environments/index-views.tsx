"use client";
import type { MouseEvent, ReactNode } from "react";
import { isPlainClick } from "../address/state-link.tsx";
import { encodeIndexState, parseIndexState, type IndexState } from "../address/index-state.ts";
import { say } from "../../ui/said.ts";
import type { PageWordsId } from "@binnacle/words/en/page";

const VIEWS = [
  { view: "environments", word: "environments/environments" },
  { view: "issues", word: "environments/issues" },
] as const satisfies readonly { readonly view: IndexState["view"]; readonly word: PageWordsId }[];

const NOTHING = parseIndexState(new URLSearchParams());

/** The two views of the index, as links: each has an address. */
export function IndexViews(props: { readonly view: IndexState["view"]; readonly onView: (view: IndexState["view"]) => void }): ReactNode {
  const { view: here, onView } = props;
  return (
    <nav className="seg" aria-label={say("environments/views")}>
      {VIEWS.map(({ view, word }) => {
        const go = (event: MouseEvent): void => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          onView(view);
        };
        return (
          <a key={view} href={encodeIndexState({ ...NOTHING, view }) || "?"} aria-current={view === here ? "page" : undefined} onClick={go}>
            {say(word)}
          </a>
        );
      })}
    </nav>
  );
}
