import { test as base } from "@playwright/test";

import { Sandbox, type SandboxOptions } from "./sandbox.ts";

/**
 * Specifications with an environment of their own in `mutableSandbox`: one of group/app whose name is also the name of its namespace, and
 * which the first agent deploys from the project group/<name>.
 */
export const OWN_ENVIRONMENTS = [
  "action-kinds",
  "action-many",
  "action-pages",
  "actions",
  "edit",
  "gitops-actions",
  "logs",
  "logs-api",
] as const;

/** Name of an environment that belongs to one specification. */
export type OwnEnvironment = (typeof OWN_ENVIRONMENTS)[number];

/**
 * `sandbox`: one for all tests that a worker runs, whatever their file; `mutableSandbox`: another one for all of them, with two agents. Its tests
 * change the environment of their own file, kill programs, and restore what else they change;
 * `startSandbox`: further ones, with flags, ended after the test.
 */
export const test = base.extend<
  { readonly startSandbox: (flags: readonly string[]) => Promise<Sandbox> },
  { readonly cluster: SandboxOptions["cluster"]; readonly sandbox: Sandbox; readonly mutableSandbox: Sandbox }
>({
  cluster: ["embedded", { option: true, scope: "worker" }],
  sandbox: [
    async ({ cluster }, use) => {
      const sandbox = await Sandbox.start({ cluster, flags: ["--restart", "1"] });
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  mutableSandbox: [
    async ({ cluster }, use) => {
      // A program that a test kills is started again after a second.
      const flags = ["--restart", "1", "--agents", "2", "--manifest-projects", OWN_ENVIRONMENTS.join(",")];
      const sandbox = await Sandbox.start({ cluster, flags });
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  startSandbox: async ({ cluster }, use) => {
    const started: Sandbox[] = [];
    await use(async (flags) => {
      // A foreign cluster takes the place of a sandbox's own, whichever that would be.
      const sandbox = await Sandbox.start({ cluster: flags.includes("--kubeconfig") ? "embedded" : cluster, flags });
      started.push(sandbox);
      return sandbox;
    });
    for (const sandbox of started) await sandbox.stop();
  },
});

export { expect } from "@playwright/test";
