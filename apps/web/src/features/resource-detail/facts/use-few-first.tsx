"use client";
import { useState, type ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";

/** More are not drawn here. */
const MOST = 500;

/** The first few of many, and what shows all of them: nothing where these are all. */
export function useFewFirst<T>(all: readonly T[], few: number): { readonly shown: readonly T[]; readonly rest: ReactNode } {
  const [open, setOpen] = useState(false);
  const left = all.length - MOST;
  const rest = all.length > few && (
    <>
      {open && left > 0 && (
        <span className="muted">
          {tLater("ui/and-more", { count: left })}: {tLater("drawer/in-yaml")}{" "}
        </span>
      )}
      <button type="button" className="linkish" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? tLater("drawer/fewer") : tLater("drawer/show-all", { count: all.length })}
      </button>
    </>
  );
  return { shown: all.slice(0, open ? MOST : few), rest };
}
