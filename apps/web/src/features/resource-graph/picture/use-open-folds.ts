"use client";
import { useEffect, useRef } from "react";
import { useUrlState } from "../../address/use-url-state.ts";
import type { GraphSession } from "./graph-session.ts";
import type { Picture } from "./picture.ts";

/** Keeps the open folds in the address: a link shows them, and the back button folds again what a person has opened. */
export function useOpenFolds(session: GraphSession | undefined, picture: Picture): void {
  const [url, setUrl] = useUrlState();
  const drawn = JSON.stringify(picture.open);
  const said = JSON.stringify(url.open);
  // What both sides agree on: whichever differs from it is the one that has changed.
  const told = useRef(said);
  useEffect(() => {
    if (session === undefined || picture.version === 0 || drawn === told.current) return;
    told.current = drawn;
    setUrl({ open: session.picture().open }, session.openedBy === "person" ? "push" : "replace");
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the picture is new with every answer; only its folds matter
  }, [session, drawn, setUrl]);
  useEffect(() => {
    if (session === undefined || said === told.current) return;
    told.current = said;
    session.setOpen(url.open);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the list is new with every address, its text is not
  }, [session, said]);
}
