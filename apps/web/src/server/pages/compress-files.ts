import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** Files that are much smaller compressed, and what they are; fonts are compressed already. */
export const TYPES: ReadonlyMap<string, string> = new Map([
  [".js", "application/javascript; charset=UTF-8"],
  [".css", "text/css; charset=UTF-8"],
  [".svg", "image/svg+xml"],
]);

/** Shorter ones are no shorter on the wire: both are one packet. */
const LEAST_BYTES = 1024;

/** How hard it is tried: a build takes the seconds that the smallest need; a start, for which a user waits, a tenth of them for 5 % more. */
const BROTLI_QUALITY = { build: 11, start: 9 } as const;

/** Endings of what stands beside a file for those who take it. */
export const COMPRESSED = { br: ".br", gzip: ".gz" } as const;

/** Writes a text beside itself in what browsers take: `a.js.br` and `a.js.gz`. Nothing where that would save nothing. */
export async function compressFile(path: string, text: string, during: keyof typeof BROTLI_QUALITY): Promise<void> {
  const bytes = Buffer.from(text);
  if (!TYPES.has(extname(path)) || bytes.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[during], [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    brotli(bytes, { params }).then((small) => writeFile(path + COMPRESSED.br, small)),
    zip(bytes, { level: constants.Z_BEST_COMPRESSION }).then((small) => writeFile(path + COMPRESSED.gzip, small)),
  ]);
}

/**
 * Compresses every file below a folder.
 *
 * @param served the text as it will be served, which is not always the one that stands there
 */
export async function compressFolder(folder: string, served: (text: string) => string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TYPES.has(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      await compressFile(path, served(await readFile(path, "utf8")), "build");
    }),
  );
}
