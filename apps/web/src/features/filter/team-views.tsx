"use client";
import type { MouseEvent, ReactNode } from "react";
import { isPlainClick } from "../address/state-link.tsx";
import { encodeUrlState, parseUrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useView } from "../live/environment-context.tsx";
import styles from "./filter-bar.module.css";

/** Links that the project's own file gives: states of this page under the names that the team has for them. Nothing without any. */
export function TeamViews(): ReactNode {
  const { links = [] } = useView();
  const [url, setUrl] = useUrlState();
  if (links.length === 0) return null;
  const here = encodeUrlState(url);
  return (
    <nav className={styles["views"]} aria-label="Views of the team">
      <span aria-hidden="true">Views</span>
      {links.map(({ name, query }) => {
        // Written by a stranger: read as an address of this page, and written anew.
        const state = parseUrlState(new URLSearchParams(query));
        const encoded = encodeUrlState(state);
        const go = (event: MouseEvent): void => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          setUrl(state);
        };
        return (
          <a key={name} href={`?${encoded}`} title={name} aria-current={encoded === here ? "page" : undefined} onClick={go}>
            {name}
          </a>
        );
      })}
    </nav>
  );
}
