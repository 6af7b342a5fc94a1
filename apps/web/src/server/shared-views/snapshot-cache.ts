import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";

import { scopeKeyOf, type ByteBudget, type SummaryFacts, type ViewScope } from "@binnacle/environment-view";
import { parseJson } from "@binnacle/kube";
import { EnvironmentHealthSchema, SettledState, SnapshotSchema, type Snapshot } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import { fromBinary, fromJson, toBinary, toJson, type JsonValue } from "@bufbuild/protobuf";

import { KeptBytes } from "./kept-bytes.ts";
import { summaryOfSeen, toLastPicture, type SeenEnvironment } from "./last-snapshot.ts";
import { ProvedIdentities } from "../kas/proved-identities.ts";
import { toRowHealth } from "../wire/to-proto.ts";

/** A snapshot is cached for a day after its last subscriber. */
const KEPT_MS = 24 * 60 * 60_000;
/** The part of the bytes of all views that pictures may have: what is looked at comes first. */
const PART_OF_PROCESS = 1 / 8;

/** How often a row is looked at again when it is not followed any more. */
const SAMPLED_MS = 30_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * Last snapshots of environments, for viewers who open one whose agent is unavailable: one snapshot,
 * and one line for the index, for each tenant (agent and cluster identity) and scope. Compressed, within the bytes of all views, for a day.
 */
export class SnapshotCache {
  /** Whose pictures a user may be shown. */
  readonly identities: ProvedIdentities;
  readonly #kept: KeptBytes;
  /** Pictures are packed and read one after the other, in the order of asking. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ clock, views }: { readonly clock: Clock; readonly views: ByteBudget }) {
    this.identities = new ProvedIdentities({ clock, ttlMs: KEPT_MS });
    const mostBytes = Math.floor(views.limitBytes * PART_OF_PROCESS);
    this.#kept = new KeptBytes({ budget: views, mostBytes, ttlMs: KEPT_MS, clock });
  }

  /**
   * The environment has no subscriber any more, and this is its last snapshot. A partial snapshot is not cached, and removes a cached one
   * when that shows a kind which is forbidden now.
   */
  rememberView(tenant: string, scope: ViewScope, seen: SeenEnvironment): void {
    const key = pictureKey(tenant, scope);
    if (seen.snapshot.complete) {
      const facts = summaryOfSeen(seen);
      if (facts) this.rememberSummary(tenant, scope, facts);
      void this.#inTurn(async () => this.#kept.put(key, await deflate(toBinary(SnapshotSchema, toLastPicture(seen)))));
      return;
    }
    const forbidden = seen.snapshot.sources.filter(({ settled }) => settled === "forbidden").map(({ id }) => id);
    if (forbidden.length > 0) void this.#inTurn(() => this.#revoke(tenant, scope, new Set(forbidden)));
  }

  /** The last picture, without a connection; `undefined` when there is none. */
  pictureOf(tenant: string, scope: ViewScope): Promise<Snapshot | undefined> {
    return this.#inTurn(() => this.#read(pictureKey(tenant, scope)));
  }

  /** What the index knows of an environment, unless something newer is kept. */
  rememberSummary(tenant: string, scope: ViewScope, { health, ...rest }: SummaryFacts): void {
    // Nothing that is kept is followed.
    const facts = rest.freshness.kind === "live" ? { ...rest, freshness: { kind: "sampled", everyMs: SAMPLED_MS } } : rest;
    const before = this.summaryOf(tenant, scope);
    if (before !== undefined && before.asOfMs > facts.asOfMs) return;
    const healthJson = toJson(EnvironmentHealthSchema, toRowHealth(health));
    this.#kept.put(summaryKey(tenant, scope), Buffer.from(JSON.stringify({ ...facts, health: healthJson })));
  }

  /** What the index knew of an environment last. */
  summaryOf(tenant: string, scope: ViewScope): SummaryFacts | undefined {
    const bytes = this.#kept.get(summaryKey(tenant, scope));
    // `rememberSummary` wrote it: facts, with the roll-up as JSON.
    const read =
      bytes &&
      (parseJson(Buffer.from(bytes).toString("utf8")) as (Omit<SummaryFacts, "health"> & { readonly health: JsonValue }) | undefined);
    return read && { ...read, health: fromJson(EnvironmentHealthSchema, read.health) };
  }

  /** The identity may not know this line any more. */
  forgetSummary(tenant: string, scope: ViewScope): void {
    this.#kept.delete(summaryKey(tenant, scope));
  }

  async #revoke(tenant: string, scope: ViewScope, forbidden: ReadonlySet<string>): Promise<void> {
    const picture = await this.#read(pictureKey(tenant, scope));
    const shows = picture?.sources.some(
      ({ group, resource, namespace, settled }) => settled !== SettledState.FORBIDDEN && forbidden.has(`${group}/${resource}/${namespace}`),
    );
    if (shows !== true) return;
    this.#kept.delete(pictureKey(tenant, scope));
    this.#kept.delete(summaryKey(tenant, scope));
  }

  async #read(key: string): Promise<Snapshot | undefined> {
    const bytes = this.#kept.get(key);
    return bytes && fromBinary(SnapshotSchema, await inflate(bytes));
  }

  /** What fails is lost, and takes nothing after it along. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

function pictureKey(tenant: string, scope: ViewScope): string {
  return `picture ${tenant} ${scopeKeyOf(scope)}`;
}

function summaryKey(tenant: string, scope: ViewScope): string {
  return `summary ${tenant} ${scopeKeyOf(scope)}`;
}
