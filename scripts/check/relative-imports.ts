const SOURCE = /\.(?:ts|tsx)$/;
const IMPORT = /\b(?:from|import) "(\.{1,2}\/[^"]+)"|\bimport\("(\.{1,2}\/[^"]+)"\)|new URL\("(\.{1,2}\/[^"]+)", import\.meta\.url\)/g;

/**
 * What a source imports by a relative path: for its types, for its values, when it is needed, or as a worker. Another file imports nothing.
 *
 * @param path of the file, from the root of the repository
 * @returns paths from the root
 */
export function relativeImports(path: string, text: string): readonly string[] {
  if (!SOURCE.test(path)) return [];
  return [...text.matchAll(IMPORT)].map((match) => resolve(path, match[1] ?? match[2] ?? match[3] ?? ""));
}

function resolve(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
