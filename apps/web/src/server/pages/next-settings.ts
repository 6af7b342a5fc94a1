import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { PHASE_PRODUCTION_SERVER } from "next/constants.js";
import type loadConfig from "next/dist/server/config.js";

/** A module of CommonJS, whose default another loader than Node's would take for the whole; it is among the files that the server traces. */
const requireNext = createRequire(import.meta.url);
const nextConfig = requireNext("next/dist/server/config.js") as { readonly default: typeof loadConfig };
const PHASE: typeof PHASE_PRODUCTION_SERVER = "phase-production-server";

/**
 * Has Next read the settings of a build, with the prefix in them, from the environment, as the server does that it writes for `standalone` itself;
 * else it would want `next.config.mjs` and what that imports. It keeps what it has read, and does not say later, on a line that is no JSON, how
 * long that took.
 *
 * @param directory holds the build, `.next`
 */
export async function readNextSettings(directory: string): Promise<void> {
  // Next has written it.
  const { config } = JSON.parse(await readFile(join(directory, ".next", "required-server-files.json"), "utf8")) as { config: object };
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = JSON.stringify(config);
  await nextConfig.default(PHASE, directory);
}
