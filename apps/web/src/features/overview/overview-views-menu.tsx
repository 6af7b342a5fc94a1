"use client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import { Popover } from "../../ui/popover.tsx";
import { cleanName, MAX_NAME_CHARS } from "../saved-views/saved-views.ts";
import savedViewsStyles from "../saved-views/saved-views.module.css";
import { useViewerList } from "../viewer-storage/use-viewer-list.ts";
import { ViewerList } from "../viewer-storage/viewer-list.ts";
import { encodeOverviewAddress, parseOverviewAddress, useOverviewAddress } from "./overview-address.ts";

/** A view of an overview that its viewer has given a name. */
interface SavedOverview {
  readonly name: string;
  /** As `encodeOverviewAddress` writes it. */
  readonly query: string;
}

/** The views of each viewer, for the overviews of all groups. */
const SAVED = new ViewerList<SavedOverview>({
  name: "overviews",
  most: 50,
  parse: (value) => {
    if (typeof value !== "object" || value === null || !("name" in value) || !("query" in value)) return undefined;
    const { name, query } = value;
    if (typeof name !== "string" || typeof query !== "string" || cleanName(name) === "") return undefined;
    return { name: cleanName(name), query: encodeOverviewAddress(parseOverviewAddress(new URLSearchParams(query))) };
  },
});

/** A button that opens the viewer's own views of overviews: this one can be saved, others open or go. Nothing while the viewer is unknown. */
export function OverviewViewsMenu({ username }: { readonly username: string }): ReactNode {
  const views = useViewerList(SAVED, username);
  const [address, set] = useOverviewAddress();
  const [text, setText] = useState("");
  if (username === "") return null;
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = cleanName(text);
    if (name === "") return;
    const view = { name, query: encodeOverviewAddress({ ...address, wall: false }) };
    SAVED.set(username, [view, ...SAVED.of(username).filter((each) => each.name !== name)]);
    setText("");
  };
  return (
    <Popover
      title={tLater("saved-views/saved-views")}
      hasHead
      focus="control"
      align="end"
      className={savedViewsStyles["panel"]}
      renderButton={(press) => (
        <button {...press} className="btn sm">
          <Icon name="bookmark" size={14} />
          {tLater("saved-views/saved-views")}
        </button>
      )}
    >
      <div className={savedViewsStyles["body"]}>
        <form className={savedViewsStyles["form"]} onSubmit={save}>
          <span className="find">
            <input
              type="text"
              aria-label={tLater("overview/save-view")}
              placeholder={tLater("overview/save-view")}
              value={text}
              maxLength={MAX_NAME_CHARS}
              onChange={(event) => setText(event.target.value)}
            />
          </span>
          <button type="submit" className="btn sm primary" aria-disabled={cleanName(text) === ""}>
            {tLater("saved-views/save")}
          </button>
        </form>
        <p className={savedViewsStyles["note"]}>{tLater("saved-views/kept-in-browser")}</p>
        <ul className={savedViewsStyles["list"]} aria-label={tLater("saved-views/saved-views")}>
          {views.map(({ name, query }) => (
            <li key={name} className={savedViewsStyles["row"]}>
              <button
                type="button"
                className="linkish"
                translate="no"
                onClick={() => set(parseOverviewAddress(new URLSearchParams(query)))}
              >
                {name}
              </button>
              <button
                type="button"
                className="btn ghost sm"
                onClick={() =>
                  SAVED.set(
                    username,
                    SAVED.of(username).filter((each) => each.name !== name),
                  )
                }
              >
                {tLater("ui/delete")}
                <span className="visually-hidden"> {name}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  );
}
