import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";

import { compressFile } from "./compress-files.ts";
import { PATH_PLACEHOLDER } from "./path-placeholder.ts";

/** Where a build is, where its copy goes, and what it is to be served under. */
export interface StampOptions {
  /** Next's output, `.next`. */
  readonly build: string;
  readonly into: string;
  /** "" or "/one/two": what the addresses of all pages and files begin with. */
  readonly prefix: string;
}

/** Texts of a build. All else holds no addresses. */
const TEXTS: ReadonlySet<string> = new Set([".js", ".json", ".html", ".rsc", ".css", ".body", ".meta"]);

/** What only those who build or debug read; a dashboard in development leaves `dev`. */
const UNREAD: ReadonlySet<string> = new Set(["cache", "dev", "diagnostics", "turbopack", "types", "trace", "trace-build"]);

const BODY = `<main id="content" class="page"><h1 class="visually-hidden">Error</h1><div class="state"><div role="alert">
<p class="say">Binnacle could not make this page.</p>
<div class="more"><p>This changes nothing in the cluster. Load the page again; if it happens again, tell who runs Binnacle: the reason is
in its log.</p></div>
<div class="acts"><a class="btn sm" href="">Load the page again</a></div>
</div></div></main>`;

/** Copies a build, with the prefix in the place of the placeholder. @throws when a file cannot be read or written */
export async function stampBuild({ build, into, prefix }: StampOptions): Promise<void> {
  const changed: { readonly path: string; readonly text: string }[] = [];
  for (const file of await servedFilesOf(build)) {
    const [from, to] = [join(build, file), join(into, file)];
    await mkdir(dirname(to), { recursive: true });
    if (!TEXTS.has(extname(file))) {
      await copyFile(from, to);
      continue;
    }
    const built = await readFile(from, "utf8");
    const text = stamped(file, built, prefix);
    await writeFile(to, text);
    if (file.startsWith("static/") && built.includes(PATH_PLACEHOLDER)) changed.push({ path: to, text });
  }
  // Compressed files of a build, which have been copied now, are those of the root (compress-build.ts).
  if (prefix !== "") await Promise.all(changed.map(({ path, text }) => compressFile(path, text, "start")));
}

/** Files of a build that a server needs, relative to it, sorted: no caches, no types, no maps of sources. */
export async function servedFilesOf(build: string): Promise<readonly string[]> {
  const entries = await readdir(build, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(build.length + 1));
  return files.filter((file) => !UNREAD.has(file.split("/", 1)[0] ?? "") && !/\.map$|\.nft\.json$/.test(file)).toSorted();
}

function stamped(file: string, text: string, prefix: string): string {
  const whole = text.replaceAll(PATH_PLACEHOLDER, prefix);
  if (extname(file) === ".html") return failedPage(whole);
  return file === "routes-manifest.json" && prefix === "" ? withoutOwnRedirect(whole) : whole;
}

/** Next redirects "/prefix/" to "/prefix". Without a prefix that would lead "/" to nothing; a build without one has no such redirect. */
function withoutOwnRedirect(manifest: string): string {
  // Next has written it; what else it holds goes through as it is.
  const routes = JSON.parse(manifest) as { readonly redirects: readonly { readonly source: string }[] };
  return JSON.stringify({ ...routes, redirects: routes.redirects.filter(({ source }) => source !== "/") });
}

/**
 * The page for a failure that left nothing to render with, in place of the one that Next makes with the build: all its scripts and styles
 * stand in it, and none has a nonce, without which our policy lets none run. This one needs none.
 *
 * @param made Next's page, whose files of styles are the build's own
 */
function failedPage(made: string): string {
  const addresses = (made.match(/<link [^<>]*>/g) ?? []).map((link) => / href="([^"]*)"/.exec(link)?.[1] ?? "");
  const styles = addresses.filter((href) => href.endsWith(".css")).map((href) => `<link rel="stylesheet" href="${href}"/>`);
  const head = `<meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/><title>Error · Binnacle</title>`;
  return `<!DOCTYPE html><html lang="en"><head>${head}${[...new Set(styles)].join("")}</head><body>${BODY}</body></html>`;
}
