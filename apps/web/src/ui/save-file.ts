/** A file that leaves the page, and a note about it. */
export interface MadeFile {
  readonly content: Blob;
  readonly extension: string;
  /** What the file is not: "Drawn at 40 % to stay below 16 megapixels; …" */
  readonly note?: string;
}

/** So long a browser may take to begin reading what it saves. */
const KEPT_MS = 60_000;

/** Gives a file to the browser, which saves it according to the user's settings. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
