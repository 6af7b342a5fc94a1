import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from "next/constants.js";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { PATH_PLACEHOLDER } from "./src/server/pages/path-placeholder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Another one for each build, and the later one is the greater: a page can tell whether a server is newer than itself. */
const BUILD = `${Date.now().toString(36).padStart(10, "0")}-${randomBytes(6).toString("hex")}`;

/**
 * What a build is made with; a server takes from it only what says how to answer (`src/server/pages/open-pages.ts`). Not TypeScript: Next
 * compiles such a file by itself, and then finds nothing that it imports.
 *
 * @param {string} phase
 * @returns {import("next").NextConfig}
 */
export default function configOf(phase) {
  // The build does not know where it will be served: the server puts the prefix in the placeholder's place when it starts.
  const prefix = phase === PHASE_PRODUCTION_BUILD ? PATH_PLACEHOLDER : "";
  return {
    basePath: prefix,
    // `page.dev.tsx` is a page while somebody works on pages (`npm run dev`), and nothing in a build.
    pageExtensions: phase === PHASE_DEVELOPMENT_SERVER ? ["dev.tsx", "tsx", "ts"] : ["tsx", "ts"],
    // Workspaces have no build: Next compiles their sources.
    transpilePackages: [
      "@binnacle/proto",
      "@binnacle/kube",
      "@binnacle/health",
      "@binnacle/words",
      "@binnacle/graph",
      "@binnacle/pod-logs",
      "@binnacle/presentation",
    ],
    turbopack: {
      root: ROOT,
      // Messages are compiled by `npm run gen`: nothing that is shown needs the parser, which is three quarters of intl-messageformat.
      resolveAlias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
    },
    experimental: {
      // Few files for the first page: each has its own headers and is compressed by itself. What pages share is in the files of the frame.
      turbopackChunking: { minChunkSize: 150_000, maxMergeChunkSize: 600_000, priorityRoutes: [/^\/p\//] },
    },
    outputFileTracingRoot: ROOT,
    generateBuildId: () => BUILD,
    env: { BINNACLE_BUILD: BUILD, BINNACLE_PATH_PREFIX: prefix },
    // We have no pictures to shrink.
    images: { unoptimized: true },
    poweredByHeader: false,
    reactStrictMode: true,
    // Files are compressed when they are built (`src/server/pages/compress-build.ts`), and pages not at all.
    compress: false,
    devIndicators: false,
  };
}
