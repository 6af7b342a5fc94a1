"use client";
import { type ReactNode, useState, type SubmitEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Popover } from "../../ui/popover.tsx";
import styles from "./saved-views.module.css";
import { useSavedViews } from "./use-saved-views.ts";
import { tLater } from "../../ui/messages.ts";
import { type SavedView, withoutView, withRenamed, withView, cleanName, MAX_NAME_CHARS } from "./saved-views.ts";
import { ViewLink } from "./view-link.tsx";
import { encodeUrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";

/** A button that opens the viewer's own views: to keep this one, and to name or drop others. Renders nothing while the viewer is unknown. */
export function SavedViewsMenu({ className }: { readonly className?: string | undefined }): ReactNode {
  const { projectPath } = useSavedViews();
  if (projectPath === "") return null;
  return (
    <Popover
      title={tLater("saved-views/your-views")}
      hasHead
      focus="control"
      align="end"
      className={styles["panel"]}
      renderButton={(press) => (
        <button {...press} className={`btn ghost sm ${className ?? ""}`}>
          <Icon name="bookmark" size={14} />
          <span>{tLater("saved-views/views")}</span>
        </button>
      )}
    >
      <SavedViewsPanel />
    </Popover>
  );
}

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

/** Keeps this view under a name, and lists those that are kept: each opens, has another name, goes. */
function SavedViewsPanel(): ReactNode {
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

/** A field for a name and the button that takes it; it does nothing without one. */
function NameForm(props: {
  readonly label: string;
  readonly action: string;
  readonly first?: string;
  readonly onName: (name: string) => void;
}): ReactNode {
  const { label, action, first = "", onName } = props;
  const [text, setText] = useState(first);
  const name = cleanName(text);
  const take = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name === "") return;
    onName(name);
    setText("");
  };
  return (
    <form className={styles["form"]} onSubmit={take}>
      <span className="find">
        <input
          type="text"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={MAX_NAME_CHARS}
          onChange={(event) => setText(event.target.value)}
        />
      </span>
      <button type="submit" className="btn sm primary" aria-disabled={name === ""}>
        {action}
      </button>
    </form>
  );
}
