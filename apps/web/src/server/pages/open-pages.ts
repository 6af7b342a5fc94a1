import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import next from "next";

import { readNextSettings } from "./next-settings.ts";
import { chooseSmaller } from "./smaller-files.ts";
import { stampBuild } from "./stamp-build.ts";

/** The pages of a build, ready to answer. */
export interface Pages {
  /** Answers a request whose address begins with the prefix. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Names the build, as the code of its pages knows it too. */
  readonly build: string;
  close(): Promise<void>;
}

/**
 * Opens Next's pages below a path prefix. The build is copied to the system's temporary directory (TMPDIR, about 8 MB) with the prefix in
 * it, and goes when the pages are closed.
 *
 * @param directory holds the build, `.next` @param prefix "" or "/one/two"
 * @throws when there is no build
 */
export async function openPages(directory: string, prefix: string): Promise<Pages> {
  const build = join(directory, ".next");
  const name = (await readFile(join(build, "BUILD_ID"), "utf8")).trim();
  const copy = await mkdtemp(join(tmpdir(), "binnacle-pages-"));
  const remove = (): Promise<void> => rm(copy, { recursive: true, force: true });
  try {
    await stampBuild({ build, into: join(copy, ".next"), prefix });
    await readNextSettings(copy);
    // Its chunks ask for Next's own modules from where they lie.
    await symlink(join(dirname(createRequire(import.meta.url).resolve("next/package.json")), ".."), join(copy, "node_modules"));
    // Next listens for upgrades on the server that it is given. This one never hears of any: ours answers them itself.
    const app = next({ dev: false, dir: copy, httpServer: createServer() });
    await app.prepare();
    const handle = app.getRequestHandler();
    const smaller = chooseSmaller(join(copy, ".next/static"), `${prefix}/_next/static/`);
    return {
      handle(request, response) {
        smaller(request, response);
        return handle(request, response);
      },
      build: name,
      async close() {
        await app.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
