"use client";
import type { ReactNode } from "react";
import { useView } from "../live/environment-context.tsx";
import { useSavedViews } from "./use-saved-views.ts";
import { ViewLink } from "./view-link.tsx";
import { tLater } from "../../ui/messages.ts";
import styles from "./view-links.module.css";

/** A view with a name. */
interface NamedView {
  readonly name: string;
  readonly query: string;
}

/** The views of the project's own file and those of the viewer, in one row. */
export function ViewLinks(): ReactNode {
  const { links = [] } = useView();
  const { views } = useSavedViews();
  return <NamedViewLinks links={links} views={views} />;
}

/** Views with a name, in one row: those of the team, then the viewer's own. Nothing without any. */
export function NamedViewLinks({
  links,
  views,
}: {
  readonly links: readonly NamedView[];
  readonly views: readonly NamedView[];
}): ReactNode {
  if (links.length === 0 && views.length === 0) return null;
  return (
    <div className={styles["views"]}>
      <Links title={tLater("saved-views/team")} label={tLater("saved-views/views-team")} links={links} />
      <Links title={tLater("saved-views/yours")} label={tLater("saved-views/your-views")} links={views} />
    </div>
  );
}

function Links(props: { readonly title: string; readonly label: string; readonly links: readonly NamedView[] }): ReactNode {
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
