"use client";
import type { ReactNode } from "react";
import { useView } from "../live/environment-context.tsx";
import { useSavedViews } from "./use-saved-views.ts";
import { ViewLink } from "./view-link.tsx";
import { sayLater } from "../../ui/said.ts";
import styles from "./view-links.module.css";

/** Views with a name, in one row: those that the project's own file gives to all, then those that the viewer keeps. Nothing without any. */
export function ViewLinks(): ReactNode {
  const { links = [] } = useView();
  const { views } = useSavedViews();
  if (links.length === 0 && views.length === 0) return null;
  return (
    <div className={styles["views"]}>
      <Links title={sayLater("saved-views/team")} label={sayLater("saved-views/views-team")} links={links} />
      <Links title={sayLater("saved-views/yours")} label={sayLater("saved-views/your-views")} links={views} />
    </div>
  );
}

function Links(props: {
  readonly title: string;
  readonly label: string;
  readonly links: readonly { readonly name: string; readonly query: string }[];
}): ReactNode {
  const { title, label, links } = props;
  if (links.length === 0) return null;
  return (
    <nav aria-label={label}>
      <span aria-hidden="true">{title}</span>
      {links.map(({ name, query }) => (
        <ViewLink key={name} name={name} query={query} />
      ))}
    </nav>
  );
}
