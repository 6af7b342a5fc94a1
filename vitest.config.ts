import { defineConfig } from "vitest/config";

const NEVER = ["**/node_modules/**", "**/.next/**"];

/** `*.test.ts` needs nothing but this process; `*.itest.ts` needs a socket, Redis or a cluster and runs one file at a time. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          setupFiles: ["scripts/test/property-seed.ts"],
          include: ["{apps,packages,scripts,e2e}/**/*.test.{ts,tsx}"],
          exclude: NEVER,
          // Nothing here takes a second; a machine that is busy with other things may make it ten.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["{apps,packages,e2e}/**/*.itest.ts"],
          exclude: NEVER,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
