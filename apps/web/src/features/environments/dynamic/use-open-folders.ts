"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useState } from "react";

/** Parameter of the address with the folders that are open. */
const PARAMETER = "folders";
const MAX_FOLDERS = 50;

/** Folders that an address opens, each once. */
export function parseFolders(query: { getAll(name: string): string[] }): readonly string[] {
  return [...new Set(query.getAll(PARAMETER))].filter((name) => name !== "").slice(0, MAX_FOLDERS);
}

/** The query with these folders open, and no others; other parameters stay. */
export function withFolders(query: string, folders: readonly string[]): string {
  const next = new URLSearchParams(query);
  next.delete(PARAMETER);
  for (const name of folders) next.append(PARAMETER, name);
  return next.toString();
}

/**
 * Which folders are open. The address says it, so a link and a reload keep it. While something is filtered, all that match are open and may be closed; that is
 * forgotten with the filter.
 */
export function useOpenFolders(isFiltered: boolean): {
  readonly isOpen: (folder: string) => boolean;
  readonly set: (folder: string, isOpen: boolean) => void;
} {
  const open = new Set(parseFolders(useSearchParams()));
  const [closed, setClosed] = useState<ReadonlySet<string>>(NONE);
  if (!isFiltered && closed.size > 0) setClosed(NONE);
  const set = useCallback(
    (folder: string, isOpen: boolean) => {
      if (isFiltered) {
        setClosed((before) => new Set(isOpen ? [...before].filter((name) => name !== folder) : [...before, folder]));
        return;
      }
      const others = parseFolders(new URLSearchParams(location.search)).filter((name) => name !== folder);
      const query = withFolders(location.search, isOpen ? [...others, folder] : others);
      history.replaceState(null, "", query === "" ? location.pathname : `${location.pathname}?${query}`);
    },
    [isFiltered],
  );
  return { isOpen: (folder) => (isFiltered ? !closed.has(folder) : open.has(folder)), set };
}

const NONE: ReadonlySet<string> = new Set();
