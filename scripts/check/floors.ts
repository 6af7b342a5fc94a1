import { relativeImports } from "./relative-imports.ts";
import type { SourceTree } from "./source-tree.ts";

/** The rooms of a folder, which are the folders directly in it, and the floor that each is on. */
export interface FloorPlan {
  /** Path of the folder. */
  readonly base: string;
  /** Names of rooms, the lowest floor first; "." stands for the files directly in the folder. */
  readonly floors: readonly (readonly string[])[];
}

/** Every folder whose rooms are on floors. */
export const FLOOR_PLANS: readonly FloorPlan[] = [
  {
    base: "apps/web/src/server",
    floors: [
      ["base"],
      ["config", "audit"],
      ["wire", "pages"],
      ["http"],
      ["main-application"],
      ["gitlab", "standalone"],
      ["session", "metrics"],
      ["kas", "team-file"],
      ["sockets", "syncs", "environment"],
      ["authors"],
      ["delivery", "agents"],
      ["detail-parts"],
      ["details"],
      ["resource"],
      ["action-plans", "logs", "terminal", "manifest", "workload-metrics"],
      ["action-effects"],
      ["actions"],
      ["shared-views"],
      ["view", "index", "settings"],
      ["topics", "projects", "overview"],
      ["."],
      ["testing"],
      ["bff-tests"],
    ],
  },
];

/** Limits of a room, its tests and what they are made with apart: it can be read in one sitting. */
const MAX_FILES = 20;
const MAX_LINES = 2_500;

const SOURCE = /\.(?:ts|tsx)$/;
const TEST = /\.i?test\.tsx?$/;

/**
 * Imports that do not lead down: a room imports only rooms of lower floors, types included, and none beside it. Tests count with their room;
 * those directly in the folder import any room. Rooms that are too large are named too, and those that the plan does not have, or has and are
 * not there.
 *
 * @returns one sentence each, sorted
 */
export function floorProblems(tree: SourceTree, { base, floors }: FloorPlan): string[] {
  const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));
  const sizes = new Map<string, { files: number; lines: number }>();
  const problems = new Set<string>();
  for (const [path, text] of tree.texts()) {
    const room = roomOf(path, base);
    if (room === undefined || !SOURCE.test(path)) continue;
    const size = sizes.get(room) ?? { files: 0, lines: 0 };
    sizes.set(room, size);
    if (!TEST.test(path) && !path.includes("/testing/")) {
      size.files += 1;
      size.lines += text.split("\n").length - 1;
    }
    const floor = floorOf.get(room);
    if (floor === undefined) {
      problems.add(`${base}/${room} is on no floor of scripts/check/floors.ts`);
      continue;
    }
    if (room === "." && TEST.test(path)) continue;
    for (const target of relativeImports(path, text)) {
      const to = roomOf(target, base);
      const toFloor = to === undefined ? undefined : floorOf.get(to);
      if (to === undefined || to === room || toFloor === undefined || toFloor < floor) continue;
      problems.add(`${path}: ${base}/${room} imports ${to}, which is ${toFloor === floor ? "on the same floor" : "on a floor above"}`);
    }
  }
  for (const room of floorOf.keys())
    if (!sizes.has(room)) problems.add(`${base}/${room} has a floor in scripts/check/floors.ts, and no sources`);
  for (const [room, { files, lines }] of sizes) {
    if (files > MAX_FILES) problems.add(`${base}/${room} has ${files} files without tests; at most ${MAX_FILES}`);
    if (lines > MAX_LINES) problems.add(`${base}/${room} has ${lines} lines without tests; at most ${MAX_LINES}`);
  }
  return [...problems].toSorted();
}

/** @returns `undefined` for a path that is not below the folder; "." for a file directly in it */
function roomOf(path: string, base: string): string | undefined {
  if (!path.startsWith(`${base}/`)) return undefined;
  const [room, file] = path.slice(base.length + 1).split("/");
  return file === undefined ? "." : room;
}
