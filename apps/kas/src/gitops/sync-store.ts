import { createHash } from "node:crypto";

import { clone, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  GetSyncResponseSchema,
  GitopsSourceProblem,
  GitopsSyncSchema,
  type GetSyncResponse,
  type GitopsSync,
} from "@binnacle/proto/kas-gitops";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import { atMost } from "../limits/at-most.ts";
import { forgetHashField, readHashFields } from "../redis/hash-fields.ts";
import { listenToHints, sayHint } from "../redis/hint-channel.ts";
import { RecordSigner, type RecordSignerOptions } from "../redis/record-signer.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { MAX_NAMED_PROJECTS, NAMED_MS, NamedProjects } from "./named-projects.ts";
import { formatProblem, isReported, LocalSourceProblems, parseProblem } from "./source-problems.ts";

/** What is known of the syncs of agents, for all kas. */
export interface SyncStore {
  /** Replaces what is known of a project. @throws Fault `over_budget` (too many projects), `store_unavailable` */
  put(agentId: bigint, report: GetSyncResponse): Promise<void>;
  /** Without objects, by project. @throws Fault `store_unavailable` */
  list(agentId: bigint): Promise<readonly GitopsSync[]>;
  /** @throws Fault `store_unavailable` */
  get(agentId: bigint, project: string): Promise<GetSyncResponse | undefined>;
  /**
   * Reports whether the manifests of a project can be read; becomes part of its sync. To be repeated at each poll: a report that is not
   * repeated expires. Never throws, and the caller does not wait for the store.
   */
  reportProblem(agentId: bigint, project: string, problem: GitopsSourceProblem): void;
  /** As `reportProblem`, for each project with a recent report of this process. */
  reportProblemOfAll(agentId: bigint, problem: GitopsSourceProblem): void;
  /**
   * Names the manifest projects of an agent that reports all of them; to be repeated at each poll. Never throws, and the caller does not
   * wait for the store.
   */
  nameProjects(agentId: bigint, projects: readonly string[]): void;
  /** The projects that were named last; `undefined` while none were, or not for long. @throws Fault `store_unavailable` */
  namedProjects(agentId: bigint): Promise<readonly string[] | undefined>;
  /** @param listener called when something may have changed @returns takes it back */
  onChange(agentId: bigint, listener: () => void): () => void;
}

const namedSchema = z.object({ projects: z.array(z.string()), atMs: z.number() });
/** Agents say it again within ten minutes. */
const KEPT_MS = 15 * 60_000;
/** Of one agent. */
const MAX_PROJECTS = 100;
const MAX_LOCAL_AGENTS = 1_000;
/** Of the records that this process has written, for a Redis that has lost them. */
const MAX_WRITTEN_BYTES = 16 * 1024 * 1024;

/** Listeners by agent. */
class Listeners {
  readonly #listeners = new Map<string, Set<() => void>>();

  add(agentId: bigint, listener: () => void): () => void {
    const key = String(agentId);
    const own = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.#listeners.get(key) === own) this.#listeners.delete(key);
    };
  }

  tell(agentId: string): void {
    for (const listener of this.#listeners.get(agentId) ?? []) listener();
  }

  tellAll(): void {
    for (const key of this.#listeners.keys()) this.tell(key);
  }
}

/** For a kas that is alone. */
export class LocalSyncStore implements SyncStore {
  readonly #clock: Clock;
  readonly #agents = new LRUCache<bigint, Map<string, GetSyncResponse>>(atMost(MAX_LOCAL_AGENTS));
  readonly #listeners = new Listeners();
  readonly #problems: LocalSourceProblems;
  readonly #named: NamedProjects;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#problems = new LocalSourceProblems(clock);
    this.#named = new NamedProjects(clock);
  }

  async put(agentId: bigint, report: GetSyncResponse): Promise<void> {
    const kept = this.#kept(agentId);
    const project = report.sync?.project ?? "";
    if (!kept.has(project)) checkProjects(kept.size);
    this.#agents.set(agentId, kept.set(project, stamped(report, this.#clock)));
    this.#listeners.tell(String(agentId));
  }

  async list(agentId: bigint): Promise<readonly GitopsSync[]> {
    return inOrder([...this.#kept(agentId).values()].flatMap(({ sync }) => (sync ? this.#withProblem(agentId, sync) : [])));
  }

  async get(agentId: bigint, project: string): Promise<GetSyncResponse | undefined> {
    const found = this.#kept(agentId).get(project);
    return found?.sync && { ...found, sync: this.#withProblem(agentId, found.sync) };
  }

  reportProblem(agentId: bigint, project: string, problem: GitopsSourceProblem): void {
    if (this.#problems.report(agentId, project, problem)) this.#listeners.tell(String(agentId));
  }

  reportProblemOfAll(agentId: bigint, problem: GitopsSourceProblem): void {
    for (const project of this.#problems.projectsOf(agentId)) this.reportProblem(agentId, project, problem);
  }

  nameProjects(agentId: bigint, projects: readonly string[]): void {
    if (this.#named.name(agentId, projects.slice(0, MAX_NAMED_PROJECTS))) this.#listeners.tell(String(agentId));
  }

  async namedProjects(agentId: bigint): Promise<readonly string[] | undefined> {
    return this.#named.of(agentId);
  }

  #withProblem(agentId: bigint, sync: GitopsSync): GitopsSync {
    return { ...sync, sourceProblem: this.#problems.of(agentId, sync.project) };
  }

  onChange(agentId: bigint, listener: () => void): () => void {
    return this.#listeners.add(agentId, listener);
  }

  #kept(agentId: bigint): Map<string, GetSyncResponse> {
    const all = this.#agents.get(agentId) ?? [];
    return new Map([...all].filter(([, { sync }]) => isKept(sync, this.#clock)));
  }
}

/** A report as this process has written it. */
interface WrittenReport {
  readonly agentId: bigint;
  readonly hash: string;
  readonly field: string;
  readonly key: string;
  readonly sync: Buffer;
  readonly full: Buffer;
  readonly atMs: number;
}

/** What a store in Redis needs. */
export interface RedisSyncStoreOptions extends Pick<RecordSignerOptions, "secrets" | "onRogue"> {
  /** Listened to until it is closed. */
  readonly redis: RedisConnection;
  readonly clock: Clock;
}

/**
 * For all kas. Four keys, this file owns them: a hash of syncs without objects per agent, one value with the objects per project, a hash of
 * what is wrong with projects' sources per agent, and the names of its projects. All expire, and so does each field of a hash by the time that stands in
 * it. Every record is signed: what no kas has written at its place is ignored and counted. After a Redis that has restarted without its data each kas
 * writes back what it has written itself, where nothing newer is: agents notice nothing of it, and would report minutes later.
 */
export class RedisSyncStore implements SyncStore {
  readonly #redis: RedisConnection;
  readonly #clock: Clock;
  readonly #listeners = new Listeners();
  readonly #own: LocalSourceProblems;
  readonly #named: NamedProjects;
  readonly #signer: RecordSigner;
  /** By their keys in Redis, the newest last. */
  readonly #written = new LRUCache<string, WrittenReport>({
    maxSize: MAX_WRITTEN_BYTES,
    sizeCalculation: ({ sync, full }) => sync.length + full.length,
  });

  constructor({ redis, clock, ...signing }: RedisSyncStoreOptions) {
    this.#redis = redis;
    this.#signer = new RecordSigner({ ...signing, purpose: "sync reports" });
    this.#clock = clock;
    this.#own = new LocalSourceProblems(clock);
    this.#named = new NamedProjects(clock);
    listenToHints(redis, this.#channel, {
      hinted: (agentId) => this.#listeners.tell(agentId),
      listening: () => this.#listeners.tellAll(),
    });
    redis.commands.on("ready", () => void this.#writeBack()); // never rejects
  }

  put(agentId: bigint, report: GetSyncResponse): Promise<void> {
    return this.#query(async () => {
      const whole = stamped(report, this.#clock);
      const { sync = create(GitopsSyncSchema) } = whole;
      const known = await this.list(agentId);
      if (!known.some(({ project }) => project === sync.project)) checkProjects(known.length);
      const hash = this.#keyOf(agentId);
      const field = digestOf(sync.project);
      const key = this.#keyOf(agentId, sync.project);
      const record = this.#signer.sign([hash, field], toBinary(GitopsSyncSchema, sync));
      const full = this.#signer.sign([key], toBinary(GetSyncResponseSchema, whole));
      this.#written.set(key, { agentId, hash, field, key, sync: record, full, atMs: this.#clock.now() });
      const results = await this.#redis.commands
        .multi()
        .hset(hash, field, record)
        .pexpire(hash, KEPT_MS)
        .set(key, full, "PX", KEPT_MS)
        .exec();
      const failed = results?.find(([error]) => error !== null);
      if (failed) throw failed[0] ?? new Error("a command failed");
      sayHint(this.#redis, this.#channel, String(agentId));
    });
  }

  /** Never rejects: the agents' next reports write it too. */
  async #writeBack(): Promise<void> {
    try {
      for (const { agentId, hash, field, key, sync, full, atMs } of this.#written.values()) {
        const leftMs = KEPT_MS - (this.#clock.now() - atMs);
        if (leftMs <= 0) continue;
        const { commands } = this.#redis;
        const there = await commands.hgetBuffer(hash, field);
        const record = there === null ? undefined : this.#signer.open([hash, field], there);
        const { reportedAt } = (record && syncOf(record)) ?? {};
        // Also what another kas has just written back may be older than this.
        if (reportedAt !== undefined && timestampMs(reportedAt) >= atMs) continue;
        await commands.multi().hset(hash, field, sync).pexpire(hash, KEPT_MS).set(key, full, "PX", leftMs).exec();
        sayHint(this.#redis, this.#channel, String(agentId));
      }
    } catch {
      // Redis is away again; the next connection tries again.
    }
  }

  list(agentId: bigint): Promise<readonly GitopsSync[]> {
    return this.#query(async () => {
      const hash = this.#keyOf(agentId);
      const problems = await this.#problems(agentId);
      const syncs: GitopsSync[] = [];
      for (const field of await readHashFields(this.#redis.commands, hash, MAX_PROJECTS)) {
        const record = this.#signer.open([hash, field.name], field.value);
        const sync = record && syncOf(record);
        if (sync && isKept(sync, this.#clock)) syncs.push(withProblem(sync, problems));
        else forgetHashField(this.#redis.commands, hash, field);
      }
      return inOrder(syncs);
    });
  }

  get(agentId: bigint, project: string): Promise<GetSyncResponse | undefined> {
    return this.#query(async () => {
      const key = this.#keyOf(agentId, project);
      const value = await this.#redis.commands.getBuffer(key);
      const record = value === null ? undefined : this.#signer.open([key], value);
      if (record === undefined) return undefined;
      const found = fromBinary(GetSyncResponseSchema, record);
      // One that was written back later is as old as it says.
      if (!isKept(found.sync, this.#clock)) return undefined;
      return found.sync && { ...found, sync: withProblem(found.sync, await this.#problems(agentId)) };
    });
  }

  reportProblem(agentId: bigint, project: string, problem: GitopsSourceProblem): void {
    const isNews = this.#own.report(agentId, project, problem);
    const isWell = problem === GitopsSourceProblem.UNSPECIFIED;
    if (isWell && !isNews) return;
    const key = this.#sourcesOf(agentId);
    const { commands } = this.#redis;
    const field = digestOf(project);
    const signed = this.#signer.sign([key, field], Buffer.from(formatProblem({ problem, atMs: this.#clock.now() })));
    const written = isWell ? commands.hdel(key, field) : commands.multi().hset(key, field, signed).pexpire(key, KEPT_MS).exec();
    written.then(
      () => isNews && sayHint(this.#redis, this.#channel, String(agentId)),
      // The next look says it again.
      () => this.#own.forget(agentId, project),
    );
  }

  reportProblemOfAll(agentId: bigint, problem: GitopsSourceProblem): void {
    for (const project of this.#own.projectsOf(agentId)) this.reportProblem(agentId, project, problem);
  }

  nameProjects(agentId: bigint, projects: readonly string[]): void {
    const named = projects.slice(0, MAX_NAMED_PROJECTS);
    if (!this.#named.name(agentId, named)) return;
    const key = this.#projectsOf(agentId);
    this.#redis.commands
      .set(key, this.#signer.sign([key], Buffer.from(JSON.stringify({ projects: named, atMs: this.#clock.now() }))), "PX", NAMED_MS)
      .then(
        () => sayHint(this.#redis, this.#channel, String(agentId)),
        // The next look names them again.
        () => this.#named.forget(agentId),
      );
  }

  namedProjects(agentId: bigint): Promise<readonly string[] | undefined> {
    return this.#query(async () => {
      const key = this.#projectsOf(agentId);
      const value = await this.#redis.commands.getBuffer(key);
      const record = value === null ? undefined : this.#signer.open([key], value);
      const named = record && namedSchema.safeParse(JSON.parse(record.toString())).data;
      const ageMs = named === undefined ? 0 : this.#clock.now() - named.atMs;
      return named !== undefined && ageMs < NAMED_MS ? named.projects : undefined;
    });
  }

  /** What is wrong with the sources of an agent's projects, by their digests. */
  async #problems(agentId: bigint): Promise<ReadonlyMap<string, GitopsSourceProblem>> {
    const problems = new Map<string, GitopsSourceProblem>();
    const hash = this.#sourcesOf(agentId);
    for (const { name, value } of await readHashFields(this.#redis.commands, hash, MAX_PROJECTS)) {
      const reported = parseProblem(this.#signer.open([hash, name], value)?.toString() ?? "");
      if (reported && isReported(reported, this.#clock)) problems.set(name, reported.problem);
    }
    return problems;
  }

  onChange(agentId: bigint, listener: () => void): () => void {
    return this.#listeners.add(agentId, listener);
  }

  #sourcesOf(agentId: bigint): string {
    return `${this.#redis.keyPrefix}:binnacle:2:gitops_source:${agentId}`;
  }

  #projectsOf(agentId: bigint): string {
    return `${this.#redis.keyPrefix}:binnacle:1:gitops_projects:${agentId}`;
  }

  get #channel(): string {
    return `${this.#redis.keyPrefix}:binnacle:1:gitops_sync`;
  }

  #keyOf(agentId: bigint, project?: string): string {
    return `${this.#redis.keyPrefix}:binnacle:2:gitops_sync:${agentId}${project === undefined ? "" : `:${digestOf(project)}`}`;
  }

  async #query<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (cause) {
      if (cause instanceof Fault) throw cause;
      throw new Fault("store_unavailable", "what agents have reported cannot be read or written now", { cause });
    }
  }
}

function withProblem(sync: GitopsSync, problems: ReadonlyMap<string, GitopsSourceProblem>): GitopsSync {
  return { ...sync, sourceProblem: problems.get(digestOf(sync.project)) ?? GitopsSourceProblem.UNSPECIFIED };
}

/** Undefined for what a later kas has written in another form. */
function syncOf(value: Buffer): GitopsSync | undefined {
  try {
    return fromBinary(GitopsSyncSchema, value);
  } catch {
    return undefined;
  }
}

function checkProjects(known: number): void {
  if (known >= MAX_PROJECTS) throw new Fault("over_budget", `syncs of ${MAX_PROJECTS} projects are kept for an agent, and no more`);
}

function stamped(report: GetSyncResponse, clock: Clock): GetSyncResponse {
  const sync = report.sync ? clone(GitopsSyncSchema, report.sync) : create(GitopsSyncSchema);
  sync.reportedAt = toTimestamp(clock.now());
  return create(GetSyncResponseSchema, { sync, objects: report.objects });
}

function isKept(sync: GitopsSync | undefined, clock: Clock): boolean {
  return sync?.reportedAt !== undefined && clock.now() - timestampMs(sync.reportedAt) < KEPT_MS;
}

function inOrder(syncs: readonly GitopsSync[]): readonly GitopsSync[] {
  return syncs.toSorted((one, other) => (one.project < other.project ? -1 : 1));
}

function digestOf(project: string): string {
  return createHash("sha256").update(project).digest("base64url");
}
