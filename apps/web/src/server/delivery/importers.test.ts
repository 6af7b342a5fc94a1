import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";

import { expect, test } from "vitest";

const SERVER = join(import.meta.dirname, "..");
const ROOMS = ["delivery", "syncs"];

/** Modules of the server outside of the rooms, with what they import from them. */
async function importers(): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const entry of await readdir(SERVER, { recursive: true, withFileTypes: true })) {
    const path = relative(SERVER, join(entry.parentPath, entry.name));
    if (!/\.tsx?$/.test(path) || /test\.tsx?$/.test(path) || ROOMS.some((room) => path.startsWith(`${room}/`))) continue;
    const text = await readFile(join(SERVER, path), "utf8");
    const imported = [...text.matchAll(/from "(?:\.\.?\/)+(?:delivery|syncs)\/([a-z-]+)\.ts"/g)].map(([, name = ""]) => name);
    if (imported.length > 0) found[path] = [...new Set(imported)].toSorted();
  }
  return found;
}

test("B1, B2: what says something about delivery reads the one value, and nothing else of its rooms", async () => {
  expect(await importers()).toEqual({
    // They send the value.
    "index/agent-rows.ts": ["agent-deliveries", "delivery", "gitops-syncs", "to-delivery"],
    "index/index-rows.ts": ["delivery", "to-delivery"],
    "view/watch-environment.ts": ["delivery", "delivery-journal", "follow-delivery", "gitops-syncs", "to-delivery"],
    // It asks the main application.
    "view/authorized-place.ts": ["follow-environment"],
    // Actions of a sync.
    "action-plans/action-catalogue.ts": ["gitops-intent"],
    "action-plans/action-plan.ts": ["gitops-intent"],
    "actions/open-action.ts": ["agent-syncs", "find-sync", "gitops-syncs"],
    "action-plans/sync-plans.ts": ["gitops-intent"],
    // One object: its manifest, and deployments among its events.
    "actions/preview-action.ts": ["manifest-of"],
    "manifest/compare-resource.ts": ["gitops-syncs", "manifest-of"],
    "resource/describe-resource.ts": ["to-delivery"],
    "resource/resource-detail.ts": ["delivery-journal", "gitops-syncs", "manifest-of"],
    // They put it together.
    "bff.ts": ["delivery-journal", "gitops-syncs", "kept-proofs", "reader-assertion"],
    "dashboard-service.ts": ["ask-gitops", "review-gitops"],
  });
});
