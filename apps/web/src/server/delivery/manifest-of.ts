import type { ViewScope } from "@binnacle/environment-view";
import { encodeKey, fieldsAt, keyOf, OWNING_INVENTORY, textAt, type KubeObject } from "@binnacle/kube";
import { ManifestPlaceSchema, type ManifestPlace } from "@binnacle/proto/dashboard";
import { sleep, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { AgentSyncs, type AgentSyncsOptions, type ShownSync } from "./agent-syncs.ts";
import { valueOf } from "./delivery.ts";

/** A drawer waits no longer for what it can do without. */
const LIMIT_MS = 3_000;

/** The manifest of an object, as its agent reported it. */
export interface FoundManifest {
  /** Full path of its project. */
  readonly project: string;
  /** The whole id. */
  readonly commitId: string;
  readonly place: ManifestPlace;
}

/**
 * Where the manifest of an object stands that an agent applies; `undefined` for any other, and for a viewer to whom the main application
 * shows no commit of its project, or while there is no answer. Never rejects.
 */
export async function manifestOf(object: KubeObject, by: ManifestOfOptions): Promise<FoundManifest | undefined> {
  const over = new AbortController();
  const late = sleep(by.clock, LIMIT_MS, over.signal).then(() => undefined);
  try {
    return await Promise.race([find(object, by), late]);
  } finally {
    over.abort();
  }
}

/** Who asks, in which environment. */
interface ManifestOfOptions extends AgentSyncsOptions {
  readonly scope: ViewScope;
  readonly clock: Clock;
}

async function find(object: KubeObject, { scope, ...options }: ManifestOfOptions): Promise<FoundManifest | undefined> {
  const inventory = textAt(fieldsAt(object.metadata, "annotations"), OWNING_INVENTORY);
  if (inventory === "") return undefined;
  const syncs = new AgentSyncs(options);
  await syncs.read([scope]);
  const member = syncs.of(scope);
  const sync = member && valueOf(member)?.find(({ inventoryId }) => inventoryId === inventory);
  if (sync === undefined || (sync.commit ?? sync.appliedCommit) === undefined) return undefined;
  const report = await options.gitops.fullReport(options.access, sync.project);
  const place = report?.places.get(encodeKey(keyOf(object)));
  if (report === undefined || place === undefined) return undefined;
  const { commitId } = report;
  return {
    project: sync.project,
    commitId,
    place: create(ManifestPlaceSchema, { path: place.path, line: place.line, url: urlOf(sync, { ...place, commitId }) }),
  };
}

/** The line in the main application, beside the commit that it has shown. */
function urlOf(
  { commit, appliedCommit }: ShownSync,
  { path, line, commitId }: { readonly path: string; readonly line: number; readonly commitId: string },
): string {
  const tail = `/-/commit/${commitId}`;
  const shown = [commit, appliedCommit].find((each) => each?.sha === commitId);
  if (shown?.url.endsWith(tail) !== true) return "";
  const file = path.split("/").map(encodeURIComponent).join("/");
  return `${shown.url.slice(0, -tail.length)}/-/blob/${commitId}/${file}${line === 0 ? "" : `#L${line}`}`;
}
