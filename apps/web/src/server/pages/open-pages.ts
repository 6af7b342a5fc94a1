import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, extname } from "node:path";

import next from "next";
import type { PHASE_PRODUCTION_SERVER } from "next/constants.js";
import type loadConfig from "next/dist/server/config.js";

import { acceptedCodings } from "../base/accept-encoding.ts";
import { COMPRESSED, TYPES } from "./compress-files.ts";
import { stampBuild } from "./stamp-build.ts";

/** The pages of a build, ready to answer. */
export interface Pages {
  /** Answers a request whose address begins with the prefix. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Names the build, as the code of its pages knows it too. */
  readonly build: string;
  close(): Promise<void>;
}

/** A module of CommonJS, whose default another loader than Node's would take for the whole; it is among the files that the server traces. */
const requireNext = createRequire(import.meta.url);
const nextConfig = requireNext("next/dist/server/config.js") as { readonly default: typeof loadConfig };
const PHASE: typeof PHASE_PRODUCTION_SERVER = "phase-production-server";

/** Headers that request a part of a file, or one that must not have changed: compressed files are always sent in full. */
const CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];

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

/**
 * Has Next read the settings of a build, with the prefix in them, from the environment, as the server does that it writes for `standalone`
 * itself; else it would want `next.config.mjs` and what that imports. It keeps what it has read, and does not say later, on a line that is
 * no JSON, how long that took.
 *
 * @param directory holds the build, `.next`
 */
export async function readNextSettings(directory: string): Promise<void> {
  // Next has written it.
  const { config } = JSON.parse(await readFile(join(directory, ".next", "required-server-files.json"), "utf8")) as { config: object };
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = JSON.stringify(config);
  await nextConfig.default(PHASE, directory);
}

/**
 * Leads requests for files of a build to the smallest form that the browser takes, which stands beside the file (`compress-files.ts`). Who
 * serves files then serves that one. What there is is looked up once, at the start.
 *
 * @param folder where the files are @param address what their addresses begin with, as "/prefix/_next/static/"
 */
function chooseSmaller(folder: string, address: string): (request: IncomingMessage, response: ServerResponse) => void {
  const known = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  return (request, response) => {
    const { url = "", headers } = request;
    if (!url.startsWith(address)) return;
    const [path = ""] = url.slice(address.length).split("?", 1);
    const type = TYPES.get(extname(path));
    if (type === undefined) return;
    response.setHeader("vary", "Accept-Encoding");
    const coding = acceptedCodings(headers["accept-encoding"]).find((each) => known.has(path + COMPRESSED[each]));
    if (coding === undefined) return;
    request.url = `${address}${path}${COMPRESSED[coding]}`;
    for (const name of CONDITIONS) delete headers[name];
    response.setHeader("content-encoding", coding);
    response.setHeader("content-type", type);
  };
}
