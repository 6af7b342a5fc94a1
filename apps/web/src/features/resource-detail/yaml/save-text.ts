/** Has the browser keep a text as a file. */
export function saveText(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has begun by then; what it has begun it ends.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
