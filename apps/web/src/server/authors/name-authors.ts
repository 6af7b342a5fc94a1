import { FIELD_MANAGER } from "@binnacle/environment-view";
import { ChangeAuthorSchema, ChangeKind, ChangeSchema, type Change, type ChangeAuthor } from "@binnacle/proto/dashboard";
import { timeOf } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import type { ViewerAct } from "./viewer-act.ts";

/** An act belongs to a change by its time alone when they are no further apart: clocks differ, and the API server has seconds. */
const NEAR_MS = 10_000;
/** Who does the same to many resources does it in a row with no longer breaks. */
const IN_A_ROW_MS = 15_000;

/**
 * Changes as a page is sent them: with who made them, where that is certain, and without uid and versions.
 *
 * A change is that of an act which led to the same resource version of the same object. Where the act or the change does not say
 * the version, the manager must be ours, the object the same and the time near. If acts of two viewers match, no author is named, and
 * whatever an agent says of an author is dropped.
 *
 * @param acts all that are known of the environment
 */
export function nameAuthors(changes: readonly Change[], acts: readonly ViewerAct[]): Change[] {
  return changes.map((change) => {
    const act = actOf(change, acts);
    return create(ChangeSchema, { ...change, uid: "", resourceVersions: [], by: act && authorOf(act, acts) });
  });
}

function actOf(change: Change, all: readonly ViewerAct[]): ViewerAct | undefined {
  const { uid, kind, manager, at } = change;
  const atMs = at && timeOf(at);
  if (uid === "" || atMs === undefined) return undefined;
  const acts = all.filter((act) => act.uid === uid);
  // An API server does not name who deletes; an object that was removed once is gone by that.
  if (kind === ChangeKind.DELETED) return actOfOneViewer(acts.filter(({ isRemoval, begunMs }) => isRemoval && begunMs <= atMs + NEAR_MS));
  if (manager !== FIELD_MANAGER) return undefined;
  const writes = acts.filter(({ isRemoval }) => !isRemoval);
  const near = writes.filter(({ begunMs, endedMs }) => begunMs <= atMs + NEAR_MS && endedMs >= atMs - NEAR_MS);
  return writtenBy(change, { writes, near });
}

function writtenBy(
  { resourceVersions, count, afterGap }: Change,
  { writes, near }: { readonly writes: readonly ViewerAct[]; readonly near: readonly ViewerAct[] },
): ViewerAct | undefined {
  const ofVersion = (version: string): readonly ViewerAct[] => writes.filter((act) => act.version === version);
  // Between two lists there may have been versions that this process has not seen.
  if (afterGap) return actOfOneViewer(resourceVersions.flatMap(ofVersion)) ?? actOfOneViewer(near);
  if (resourceVersions.length < count) return undefined;
  const unversioned = near.filter(({ version }) => version === "");
  const found = resourceVersions.map((version) => [...ofVersion(version), ...unversioned]);
  return found.every((each) => each.length > 0) ? actOfOneViewer(found.flat()) : undefined;
}

/** The first of the acts, when all are of one viewer. */
function actOfOneViewer([first, ...others]: readonly ViewerAct[]): ViewerAct | undefined {
  return others.every(({ username }) => username === first?.username) ? first : undefined;
}

function authorOf(act: ViewerAct, all: readonly ViewerAct[]): ChangeAuthor {
  const { username, name, action } = act;
  const alike = all.filter((each) => each.username === username && each.action === action).toSorted((a, b) => a.begunMs - b.begunMs);
  const others = new Set(inARow(alike, act).map(({ uid }) => uid)).size - 1;
  return create(ChangeAuthorSchema, { name: name === "" ? username : name, username, others });
}

/** The acts around one that follow each other without a long break. @param acts in the order of their times */
function inARow(acts: readonly ViewerAct[], act: ViewerAct): readonly ViewerAct[] {
  let row: ViewerAct[] = [];
  for (const each of acts) {
    const last = row.at(-1);
    if (last === undefined || each.begunMs - last.endedMs <= IN_A_ROW_MS) row.push(each);
    else if (row.includes(act)) return row;
    else row = [each];
  }
  return row;
}
