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
