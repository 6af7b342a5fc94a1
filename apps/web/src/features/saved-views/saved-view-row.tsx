"use client";
import { useState, type ReactNode } from "react";
import { NameForm } from "./name-form.tsx";
import styles from "./saved-views.module.css";
import type { SavedView } from "./saved-views.ts";
import { ViewLink } from "./view-link.tsx";
import { tLater } from "../../ui/messages.ts";

/** A view that is kept: it opens, it has another name, it goes. */
export function SavedViewRow(props: {
  readonly view: SavedView;
  readonly onRename: (name: string) => void;
  readonly onDelete: () => void;
}): ReactNode {
  const { view, onRename, onDelete } = props;
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) {
    return (
      <li>
        <NameForm
          label={tLater("saved-views/another-name-for", { name: view.name })}
          action={tLater("saved-views/rename")}
          first={view.name}
          onName={(name) => (setRenaming(false), onRename(name))}
        />
      </li>
    );
  }
  return (
    <li className={styles["row"]}>
      <ViewLink name={view.name} query={view.query} />
      <button type="button" className="btn ghost sm" onClick={() => setRenaming(true)}>
        {tLater("saved-views/rename")}
        <span className="visually-hidden"> {view.name}</span>
      </button>
      <button type="button" className="btn ghost sm" onClick={onDelete}>
        {tLater("ui/delete")}
        <span className="visually-hidden"> {view.name}</span>
      </button>
    </li>
  );
}
