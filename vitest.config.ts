import { defineConfig } from "vitest/config";

const NEVER = ["**/node_modules/**", "**/.next/**"];
/** Disturbances of real processes, each a minute at most, are a part of their own. */
const CHAOS = "e2e/chaos/**/*.itest.ts";
/** Programs and packages of others, which are fetched and built first: by command alone. */
const FOREIGN_CLIENTS = "e2e/foreign-clients/**/*.itest.ts";

/** `*.test.ts` needs nothing but this process; `*.itest.ts` needs a socket, Redis or a cluster; two files run at a time. */
export default defineConfig({
  test: {
    // Not the second that is the default: what a busy machine does late is still right. Below the limit of a test, so that it says what it saw.
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          setupFiles: ["scripts/test/property-seed.ts"],
          include: ["{apps,packages,scripts,e2e}/**/*.test.{ts,tsx}"],
          exclude: NEVER,
          // Files share what they import, which costs more than the tests themselves; whoever changes what others share puts it back.
          isolate: false,
          // Nothing here takes a second; a machine that is busy with other things may make it ten.
          testTimeout: 60_000,
          // What ends a test may have as much to do as the test.
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["{apps,packages,scripts,e2e}/**/*.itest.ts"],
          exclude: [...NEVER, CHAOS, FOREIGN_CLIENTS],
          // They wait most of their time. Each file has a process of its own.
          maxWorkers: 2,
          // Needed where the number of workers differs: after the unit tests when both run.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "chaos",
          include: [CHAOS],
          exclude: NEVER,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "foreign-clients",
          include: [FOREIGN_CLIENTS],
          exclude: NEVER,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
