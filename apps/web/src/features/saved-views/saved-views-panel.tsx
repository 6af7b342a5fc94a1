"use client";
import { useState, type ReactNode } from "react";
import { encodeUrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { NameForm } from "./name-form.tsx";
import { SavedViewRow } from "./saved-view-row.tsx";
import styles from "./saved-views.module.css";
import { withoutView, withRenamed, withView } from "./saved-views.ts";
import { useSavedViews } from "./use-saved-views.ts";
import { tLater } from "../../ui/messages.ts";

/** Keeps this view under a name, and lists those that are kept: each opens, has another name, goes. */
export function SavedViewsPanel(): ReactNode {
  const { views, projectPath, keep } = useSavedViews();
  const [url] = useUrlState();
  const [outcome, setOutcome] = useState("");
  const tell = (isKept: boolean, done: string): void => setOutcome(isKept ? done : tLater("saved-views/browser-keeps-nothing", { done }));
  // What is open beside a view is no part of it, nor is where a graph is looked at: it need not be there in another environment.
  const query = encodeUrlState({ ...url, sel: "", tab: "overview", at: "" });
  return (
    <div className={styles["body"]}>
      <NameForm
        label={tLater("saved-views/name-view")}
        action={tLater("saved-views/save")}
        onName={(name) =>
          tell(
            keep((all) => withView(all, { projectPath, name, query })),
            tLater("saved-views/saved", { name }),
          )
        }
      />
      <p className={styles["note"]}>{tLater("saved-views/kept-in-browser")}</p>
      {views.length > 0 && (
        <ul className={styles["list"]} aria-label={tLater("saved-views/saved-views")}>
          {views.map((view) => (
            <SavedViewRow
              key={view.name}
              view={view}
              onRename={(name) =>
                tell(
                  keep((all) => withRenamed(all, view, name)),
                  tLater("saved-views/renamed", { name }),
                )
              }
              onDelete={() =>
                tell(
                  keep((all) => withoutView(all, view)),
                  tLater("saved-views/deleted", { name: view.name }),
                )
              }
            />
          ))}
        </ul>
      )}
      <output className={styles["note"]}>{outcome}</output>
    </div>
  );
}
