import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { isMetadataOnly, kindId } from "../scope/kind-plan.ts";
import type { ObjectKeeper } from "../objects/object-keeper.ts";
import { PAGE_SIZE } from "../reflector/page-filling.ts";
import { planSources, type PlannedSource } from "../sources/source-plan.ts";
import type { ViewSource } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { refusalOf, type Census, type KindCensus } from "./kind-census.ts";
import { ObjectShelf, ShelfFullError } from "./object-shelf.ts";
import type { PacedLists } from "./paced-lists.ts";
import { sampledSource, type SeenKind } from "./sampled-source.ts";

/** A cluster may name as many kinds as it likes. */
const MAX_KINDS = 1_000;
/** Kinds that are read at a time. */
const WIDTH = 4;
/** A list of this many pages is read even for a single namespace: one request each is hardly less. */
const CHEAP_PAGES = 2;
/** A client that may not list these everywhere has no rights in the whole cluster; without them no scope can be judged. */
const DECISIVE: ReadonlySet<string> = new Set(["/pods", "apps/deployments"]);

/** What a reading of the whole cluster works with. */
export interface ClusterReadingOptions {
  readonly kinds: readonly ResourceKind[];
  readonly scopes: readonly ViewScope[];
  readonly lists: PacedLists;
  readonly census: KindCensus;
  readonly keeper: ObjectKeeper;
  readonly budget: ByteBudget;
}

/** Everything of all scopes at about one moment. */
export interface ClusterReading {
  readonly kind: "read";
  objectsOf(scope: ViewScope): KubeObject[];
  sourcesOf(scope: ViewScope): ViewSource[];
  /** Not every kind that counts could be read, for no fault of the viewer's rights. */
  readonly hasGaps: boolean;
  /** Lets go of the objects. */
  close(): void;
}

/**
 * Reads all scopes at once: one list per kind for all namespaces, or one per namespace where that is less work. Without any watch.
 *
 * @returns `not_allowed` when the identity may not list pods or Deployments everywhere, `too_large` when more is there than fits
 * @throws KubeClientError for a failure that is not about one kind
 */
export async function readCluster(
  options: ClusterReadingOptions,
  signal: AbortSignal,
): Promise<ClusterReading | { readonly kind: "not_allowed" | "too_large" }> {
  const { kinds, scopes, census, keeper, budget } = options;
  const whole = scopes.some(({ namespaces }) => namespaces.length === 0);
  const namespaces = new Set(scopes.flatMap((scope) => scope.namespaces));
  const all = planSources(kinds, { namespaces: [] }).filter(({ kind }) => kindId(kind) !== "/events");
  const plan = all.slice(0, MAX_KINDS);
  for (const { kind } of plan) {
    if (DECISIVE.has(kindId(kind)) && (await census.of(kind, signal)).kind === "forbidden") return { kind: "not_allowed" };
  }
  const shelf = new ObjectShelf({ keeper, budget, namespaces: whole ? undefined : namespaces });
  const seen = new Map<PlannedSource, SeenKind>();
  const silent = new Map<PlannedSource, KubeClientError>();
  const keys = !scopes.some(({ inventory }) => inventory !== undefined);
  try {
    await inParallel(plan, { width: WIDTH, signal }, async (planned, within) => {
      const { kind } = planned;
      const metadataOnly = isMetadataOnly(kind) || (keys && kindId(kind) === "/configmaps");
      let found: SeenKind | undefined;
      try {
        found = await readKind({ ...options, kind, metadataOnly, shelf, namespaces: whole ? undefined : namespaces }, within);
      } catch (error) {
        if (!(error instanceof KubeClientError) || error.failure !== "timeout") throw error;
        shelf.drop(kind);
        silent.set(planned, error);
      }
      if (found !== undefined && (planned.role === "scope" || found.state === "live")) seen.set(planned, found);
    });
  } catch (error) {
    shelf.close();
    if (error instanceof ShelfFullError) return { kind: "too_large" };
    throw error;
  }
  const [first] = silent.values();
  if (first !== undefined && (seen.size === 0 || [...silent.keys()].some(({ kind }) => DECISIVE.has(kindId(kind))))) {
    shelf.close();
    throw first;
  }
  // The others have answered: it is that kind, not the way there.
  for (const [planned, { words: why }] of silent) if (planned.role === "scope") seen.set(planned, { state: "error", words: why });
  const hasGaps = all.length > plan.length || [...seen.values()].some(({ state }) => state === "error");
  return {
    kind: "read",
    objectsOf: (scope) => shelf.of(scope.namespaces),
    sourcesOf: (scope) =>
      [...seen].flatMap(([planned, found]) => placesOf(planned, scope).map((each) => sampledSource(planned.kind, each, found))),
    hasGaps,
    close: () => shelf.close(),
  };
}

/** @returns `undefined` when the kind is not served */
async function readKind(
  options: ClusterReadingOptions & {
    readonly kind: ResourceKind;
    readonly metadataOnly: boolean;
    readonly shelf: ObjectShelf;
    /** `undefined`: all. */
    readonly namespaces: ReadonlySet<string> | undefined;
  },
  signal: AbortSignal,
): Promise<SeenKind | undefined> {
  const { kind, census, shelf } = options;
  const counted = await census.of(kind, signal);
  if (counted.kind !== "counted") return seenOf(kind, counted);
  if (counted.count === 0) return { state: "live" };
  const namespaces = kind.namespaced ? options.namespaces : undefined;
  const mostPages = namespaces === undefined ? Number.POSITIVE_INFINITY : Math.max(CHEAP_PAGES, namespaces.size);
  try {
    const pages = Math.ceil(counted.count / PAGE_SIZE);
    const isWhole = pages <= mostPages && (await shelve(options, { namespace: "", mostPages }, signal));
    if (!isWhole) {
      shelf.drop(kind);
      for (const namespace of namespaces ?? []) await shelve(options, { namespace, mostPages: Number.POSITIVE_INFINITY }, signal);
    }
    return { state: "live" };
  } catch (error) {
    if (error instanceof ShelfFullError) throw error;
    shelf.drop(kind);
    return seenOf(kind, refusalOf(error));
  }
}

/** @returns false when there are more pages than are worth reading */
async function shelve(
  { kind, metadataOnly, lists, shelf }: ClusterReadingOptions & { kind: ResourceKind; metadataOnly: boolean; shelf: ObjectShelf },
  { namespace, mostPages }: { readonly namespace: string; readonly mostPages: number },
  signal: AbortSignal,
): Promise<boolean> {
  let pages = 0;
  for await (const page of lists.list({ kind, namespace, metadataOnly }, signal)) {
    if (page === "again") {
      shelf.drop(kind, namespace === "" ? undefined : namespace);
      pages = 0;
      continue;
    }
    if (pages >= mostPages) return false;
    pages += 1;
    shelf.add(kind, page);
  }
  return true;
}

/** @throws KubeClientError when no scope can be judged without this kind */
function seenOf(kind: ResourceKind, census: Exclude<Census, { kind: "counted" }>): SeenKind | undefined {
  if (census.kind === "error" && DECISIVE.has(kindId(kind))) {
    throw new KubeClientError("api", words("source/cannot-be-read", { resource: kind.resource, said: census.words }));
  }
  return census.kind === "unserved" ? undefined : { state: census.kind, words: census.words };
}

function placesOf({ kind }: PlannedSource, { namespaces }: ViewScope): readonly string[] {
  return kind.namespaced && namespaces.length > 0 ? [...new Set(namespaces)] : [""];
}

/**
 * Does something with each item, `width` at a time. The first failure ends the others and is thrown when they have ended: no work
 * continues for a caller that has left.
 */
async function inParallel<T>(
  items: Iterable<T>,
  { width, signal }: { readonly width: number; readonly signal: AbortSignal },
  action: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const failures: unknown[] = [];
  const left = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true && !within.aborted; next = left.next()) {
      try {
        await action(next.value, within);
      } catch (error) {
        failures.push(error);
        stop.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  if (failures.length > 0) throw failures[0];
}
