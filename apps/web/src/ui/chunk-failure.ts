/** Items of the session storage begin so, and end with the name of a build whose page was loaded anew. */
export const RELOADED = "binnacle:reloaded:";

/** What each browser says of a module that could not be fetched by `import()`; bundlers name their error "ChunkLoadError". */
const IMPORT_FAILURE = /dynamically imported module|importing a module script failed/i;

/** The part of a page that a reload needs. */
export interface ReloadablePage {
  /** Which build its code is of. */
  readonly build: string;
  /** Throws where the browser allows no storage. */
  readonly storage: () => Pick<Storage, "getItem" | "setItem">;
  readonly reload: () => void;
}

/** Loads this page anew, once, if the error is that a file of its code is gone. */
export function reloadIfLost(error: unknown): void {
  const page = { build: process.env.BINNACLE_BUILD ?? "", storage: () => sessionStorage, reload: () => location.reload() };
  if (isChunkFailure(error)) reloadOnce(page);
}

/** Whether the error is that a file of the page's own code could not be loaded: after an update the old ones are gone. */
export function isChunkFailure(error: unknown): boolean {
  return error instanceof Error && (error.name === "ChunkLoadError" || IMPORT_FAILURE.test(error.message));
}

/**
 * Loads the page anew, once per build and tab: a new page brings the files of the new build. By the build and not by the file, of which
 * several may be gone.
 *
 * @returns false when it was done before or cannot be remembered: then another reload would not help, and might never end
 */
export function reloadOnce(page: ReloadablePage): boolean {
  const key = `${RELOADED}${page.build}`;
  try {
    const storage = page.storage();
    if (storage.getItem(key) !== null) return false;
    storage.setItem(key, "1");
  } catch {
    return false;
  }
  page.reload();
  return true;
}
