import { createHash } from "node:crypto";

import type { ScopeRules, HealthScript } from "@binnacle/environment-view";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import { compare } from "@binnacle/presentation/graph/compare";
import type { FileAnswer } from "../main-application/records.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { parseTeamFile } from "./parse-team-file.ts";
import { MAX_TEAM_FILE_BYTES, TEAM_FILE_PATH } from "./team-file-schema.ts";
import { TeamEnvironments, type TeamFile } from "./team-file.ts";

/** A file is not requested again for this time: tabs, rows and drawers of one viewer share it. */
const FRESH_MS = 20_000;
/** What was read last holds for so long while it cannot be read. */
const KEPT_MS = 10 * 60_000;
/** A page waits so long for it, then it goes on without. */
const PATIENCE_MS = 3_000;
/** The main application answers an HTTP request within 15 s, or not at all. */
const LIMIT_MS = 15_000;
const MAX_READINGS = 2_000;
const MAX_FILES = 200;

/** A file that was read and parsed. */
export interface ReadFile {
  readonly file: TeamFile;
  readonly environments: TeamEnvironments;
  /** Of all environments of the project; absent: the file has none. */
  readonly rules: ScopeRules | undefined;
}

/** What a viewer is to know of a project's file. */
export type TeamReading =
  /** @property isKept it is what was read a while ago: now it cannot be read */
  | { readonly kind: "read"; readonly read: ReadFile; readonly isKept: boolean }
  | { readonly kind: "failed" }
  | { readonly kind: Exclude<TeamFileAnswer["kind"], "text"> };

interface Known {
  readonly reading: TeamReading;
  /** When that was read. */
  readonly atMs: number;
  /** When it was requested last, with or without an answer. */
  readonly requestedAtMs: number;
}

interface Asking {
  readonly reading: Promise<TeamReading>;
  readonly sinceMs: number;
}

const FAILED: TeamReading = { kind: "failed" };

/** What the file is requested with. */
export type TeamFileAccess = Pick<ViewerAccess, "key" | "file">;

/** What the main application gave of the file. */
type TeamFileAnswer = FileAnswer;

/** What a file says that a scope is judged, drawn and counted by. */
type TeamRulesContent = Pick<TeamFile, "edges" | "health" | "hidden" | "weights">;

/**
 * The files of projects as their viewers may read them: what one has read is never shown to another. A text is parsed once for all
 * its readers.
 */
export class TeamFiles {
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By credential and project. */
  readonly #known = new LRUCache<string, Known>({ max: MAX_READINGS });
  /** At most one for each viewer and project, for 15 s at most. */
  readonly #underWay = new Map<string, Asking>();
  /** By the hash of the text. */
  readonly #files = new LRUCache<string, ReadFile>({ max: MAX_FILES });

  constructor(options: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * What the viewer may read of a project's file: requested at most 20 s ago, or `failed` without an answer within 3 s. Never rejects: no
   * environment is lost for the sake of a file.
   */
  async read(access: TeamFileAccess, projectPath: string): Promise<TeamReading> {
    const key = `${access.key}\0${projectPath.toLowerCase()}`;
    const known = this.#known.get(key);
    if (known !== undefined && this.#since(known.requestedAtMs) < FRESH_MS) return this.#last(key);
    const asking = this.#underWay.get(key) ?? this.#ask(key, access, projectPath);
    // However many wait for one that is slow, and whenever they come: together they wait once.
    const leftMs = PATIENCE_MS - this.#since(asking.sinceMs);
    return (leftMs > 0 ? await this.#within(asking.reading, leftMs) : undefined) ?? this.#last(key);
  }

  /** The viewer has just changed the file of a project: it is read again. */
  forget(access: TeamFileAccess, projectPath: string): void {
    const key = `${access.key}\0${projectPath.toLowerCase()}`;
    const known = this.#known.get(key);
    // What was read before stays for the time that the file cannot be read.
    if (known !== undefined) this.#known.set(key, { ...known, requestedAtMs: Number.NEGATIVE_INFINITY });
    // What is being read may be the old one.
    this.#underWay.delete(key);
  }

  #ask(key: string, access: TeamFileAccess, projectPath: string): Asking {
    // Shared by all waiting callers: no caller's cancellation may abort it.
    const reading = queryTeamFile(access, projectPath, AbortSignal.timeout(LIMIT_MS))
      .then((answer) => {
        const read: TeamReading = answer.kind === "text" ? { kind: "read", read: this.#parsed(answer.text), isKept: false } : answer;
        const nowMs = this.#clock.now();
        this.#known.set(key, { reading: read, atMs: nowMs, requestedAtMs: nowMs });
        return read;
      })
      .catch((error: unknown) => {
        if (!(error instanceof Fault)) this.#log.error({ error }, "the file of a team was not read");
        const nowMs = this.#clock.now();
        const { reading, atMs } = this.#known.get(key) ?? { reading: FAILED, atMs: nowMs };
        const kept = reading.kind === "read" ? { ...reading, isKept: true } : reading;
        this.#known.set(key, { reading: kept, atMs, requestedAtMs: nowMs });
        return this.#last(key);
      })
      .finally(() => this.#underWay.delete(key));
    const asking = { reading, sinceMs: this.#clock.now() };
    this.#underWay.set(key, asking);
    return asking;
  }

  /** What is known, when it was read not long ago. */
  #last(key: string): TeamReading {
    const known = this.#known.get(key);
    return known === undefined || this.#since(known.atMs) > KEPT_MS ? FAILED : known.reading;
  }

  #parsed(text: string): ReadFile {
    const hash = createHash("sha256").update(text).digest("base64");
    const known = this.#files.get(hash);
    if (known !== undefined) return known;
    const file = parseTeamFile(text);
    const read = { file, environments: new TeamEnvironments(file.environments), rules: teamRulesOf(file) };
    this.#files.set(hash, read);
    return read;
  }

  /** A clock that was put back makes everything old. */
  #since(atMs: number): number {
    const ageMs = this.#clock.now() - atMs;
    return ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs;
  }

  /** @returns `undefined` when it takes too long */
  #within(reading: Promise<TeamReading>, leftMs: number): Promise<TeamReading | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(leftMs, () => resolve(undefined));
      void reading.then((read) => {
        cancel();
        resolve(read);
      });
    });
  }
}

/**
 * Reads the file of a project, on its default branch, as the viewer.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`
 */
async function queryTeamFile(access: TeamFileAccess, projectPath: string, signal: AbortSignal): Promise<TeamFileAnswer> {
  return access.file({ project: projectPath, path: TEAM_FILE_PATH, mostBytes: MAX_TEAM_FILE_BYTES }, signal);
}

/**
 * The rules of a file, named by their content: the same rules in another order of maps, with other comments or beside other environments are
 * the same, and viewers with the same ones share scopes. `undefined`: there are none.
 */
function teamRulesOf(file: TeamRulesContent): ScopeRules | undefined {
  const edges = file.edges.toSorted((a, b) => compare(a.id, b.id));
  const health = [...file.health]
    // Scripts are a map: of expressions, which are a list, the first for a kind wins.
    .toSorted((a, b) => compare(a.engine, b.engine) || (a.engine === "lua" ? compare(a.pattern, b.pattern) : 0))
    .map(({ engine, pattern, version, text, hash }): HealthScript => {
      const source = `${TEAM_FILE_PATH}, health of ${pattern.replace(/^\//, "")}`;
      return { engine, source, pattern, ...(version === undefined ? {} : { version }), text, hash };
    });
  const hidden = [...new Set(file.hidden)].toSorted(compare);
  // What is to count does so anyway.
  const ignored = [...file.weights].flatMap(([kind, weight]) => (weight === "ignore" ? kind : [])).toSorted(compare);
  if (edges.length + health.length + hidden.length + ignored.length === 0) return undefined;
  const named = health.map(({ pattern, version, hash }) => [pattern, version ?? "", hash]);
  const content = JSON.stringify([edges, named, hidden, ignored], sortedKeys);
  return { id: createHash("sha256").update(content).digest("base64url"), edges, health, hidden, ignored };
}

/** As the second argument of JSON.stringify: maps in one order. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compare(a, b)));
}
