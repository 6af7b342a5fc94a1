import {
  isDeployingTool,
  scopeKeyOf,
  shownDeployers,
  type Deployers,
  type LiveSummaries,
  type RunningImages,
  type SummaryFacts,
  type ViewScope,
} from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import type { UserRules } from "@binnacle/health-lua";
import { ScopeSummarySchema, ViewGap, type ScopeDeployers } from "@binnacle/proto/kas-views";
import type { RunningImage } from "@binnacle/proto/dashboard";
import { readMessage } from "@binnacle/proto/read-message";
import { Replica } from "@binnacle/replica";
import { timeOf, toUint32 } from "@binnacle/proto/wire-values";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";

import { lineOf } from "../main-application/foreign-text.ts";
import type { CredentialPool } from "../kas/credential-pool.ts";
import { agentViewRefusalOf } from "../kas/agent-view-refusal.ts";
import type { RememberedRefusal } from "../base/remembered-refusal.ts";
import type { PlacedWord } from "../kas/agent-view-stream.ts";
import { summarySpec } from "../shared-views/environment-spec.ts";
import { isForAgents, sentRules, type SentRules } from "../shared-views/sent-rules.ts";

/** Images that are shown of one scope. */
const MAX_IMAGES = 20;
/** Scopes of one request; kas takes three hundred. */
const MAX_TOGETHER = 200;
/** Answers beyond those that the scopes need, each of environments that were added later: then all scopes are requested anew, together. */
const MAX_EXTRA_ANSWERS = 4;
/** Scopes in open answers that no environment has any more, beyond half of those that are wanted: likewise. */
const MAX_LEFT_SCOPES = 50;
/** A new subscriber adds all its scopes within this time. */
const JOIN_MS = 50;
/** So long a look waits for the first word of the agent: after it, what is not known is read. */
const FIRST_WORD_MS = 3_000;
/** An agent that did not offer its views is not queried again before. */
const REFUSED_MS = 600_000;

/** What summaries of agents work with. */
export interface AgentSummariesOptions {
  readonly carriers: Pick<CredentialPool, "viewsStream">;
  readonly customEdges: readonly CustomEdgeRule[];
  /** Of users, for all of the cluster: nothing that was judged by others is shown. */
  readonly rules: Pick<UserRules, "origins" | "onChange">;
  /** That the agent has no views, shared by all subscribers. */
  readonly withoutViews: RememberedRefusal;
  readonly clock: Clock;
}

/** One answer of kas, for the scopes of one request. */
interface Followed {
  readonly scopes: readonly ViewScope[];
  readonly stop: AbortController;
  /** Scopes of which a word has come, or never will. */
  readonly heard: Set<string>;
  /** It is to take the place of others. */
  readonly isRenewal: boolean;
}

/** Summaries of the agent for scopes that an open index shows: as one identity. */
export class AgentSummaries implements LiveSummaries {
  readonly #options: AgentSummariesOptions;
  readonly #facts = new Map<string, SummaryFacts>();
  readonly #replicas = new Map<string, Replica>();
  readonly #wanted = new Map<string, ViewScope>();
  /** In the order of their requests. */
  readonly #followed = new Set<Followed>();
  /** Which answer a scope is known by: the newest one that has begun with it. */
  readonly #owners = new Map<string, Followed>();
  readonly #listeners = new Set<(scope: ViewScope) => void>();
  readonly #waiting = new Set<() => void>();
  #refusedUntilMs = Number.NEGATIVE_INFINITY;
  #cancelJoining: (() => void) | undefined;
  #closed = false;
  /** The agent has answered: a view that it does not offer is requested once, and not for every two hundred scopes. */
  #hasAnswered = false;

  readonly #endRules: () => void;
  #sentRules: SentRules | undefined;

  constructor(options: AgentSummariesOptions) {
    this.#options = options;
    this.#sentRules = sentRules(options.rules);
    this.#endRules = options.rules.onChange(() => this.#rulesChanged());
  }

  liveSummaryOf(scope: ViewScope): SummaryFacts | undefined {
    return this.#facts.get(scopeKeyOf(scope));
  }

  onChange(listener: (scope: ViewScope) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  want(scopes: readonly ViewScope[]): void {
    this.#wanted.clear();
    for (const scope of scopes) this.#wanted.set(scopeKeyOf(scope), scope);
    for (const followed of this.#followed) if (!followed.scopes.some((scope) => this.#wanted.has(scopeKeyOf(scope)))) this.#end(followed);
    this.#followSoon();
  }

  async settled(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.now() + FIRST_WORD_MS;
    while (!this.#closed && !signal.aborted && this.#isExpecting && clock.now() < endMs) {
      const heard = new AbortController();
      const wake = (): void => heard.abort();
      this.#waiting.add(wake);
      await sleep(clock, endMs - clock.now(), AbortSignal.any([signal, heard.signal]));
      this.#waiting.delete(wake);
    }
  }

  /** Follows no more. */
  close(): void {
    this.#closed = true;
    this.#endRules();
    this.#cancelJoining?.();
    this.#leaveAll();
  }

  /** A first word may still come. */
  get #isExpecting(): boolean {
    if (this.#isRefused) return false;
    return this.#cancelJoining !== undefined || [...this.#followed].some(({ scopes, heard }) => heard.size < scopes.length);
  }

  get #isRefused(): boolean {
    return this.#options.withoutViews.isRemembered || this.#options.clock.now() < this.#refusedUntilMs;
  }

  #followSoon(): void {
    this.#cancelJoining ??= this.#options.clock.after(JOIN_MS, () => {
      this.#cancelJoining = undefined;
      this.#follow();
    });
  }

  /** Summaries of agents were judged by other rules: they are requested again. */
  #rulesChanged(): void {
    const now = sentRules(this.#options.rules);
    if (now?.name === this.#sentRules?.name) return;
    this.#sentRules = now;
    this.#leaveAll();
    this.#followSoon();
  }

  /** Asks for scopes that are new. */
  #follow(): void {
    if (this.#closed) return;
    if (this.#isRefused) return this.#wake();
    if (!this.#hasAnswered && this.#followed.size > 0) return;
    const isRenewal = this.#isScattered;
    const known = isRenewal ? new Set<string>() : new Set([...this.#followed].flatMap(({ scopes }) => scopes.map(scopeKeyOf)));
    const scopes = [...this.#wanted].flatMap(([key, scope]) => (known.has(key) || !isForAgents(scope, this.#sentRules) ? [] : [scope]));
    for (let from = 0; from < scopes.length; from += MAX_TOGETHER) {
      const followed: Followed = {
        scopes: scopes.slice(from, from + MAX_TOGETHER),
        stop: new AbortController(),
        heard: new Set(),
        isRenewal,
      };
      this.#followed.add(followed);
      void this.#run(followed);
      if (!this.#hasAnswered) return;
    }
  }

  /**
   * Environments come and go: answers of a few scopes each, or of many that are not wanted any more, take room at the agent. Not while the answers that are
   * to take their place are awaited.
   */
  get #isScattered(): boolean {
    const followed = [...this.#followed];
    if (followed.some(({ scopes, heard, isRenewal }) => isRenewal && heard.size < scopes.length)) return false;
    const left = followed.flatMap(({ scopes }) => scopes.filter((scope) => !this.#wanted.has(scopeKeyOf(scope)))).length;
    const needed = Math.ceil(this.#wanted.size / MAX_TOGETHER);
    return followed.length > needed + MAX_EXTRA_ANSWERS || left > Math.max(MAX_LEFT_SCOPES, this.#wanted.size / 2);
  }

  /** Whether the word of an answer counts: a newer one takes a scope over with its first content, and ends answers that no scope needs. */
  #isOwner(followed: Followed, key: string, isBeginning: boolean): boolean {
    const owner = this.#owners.get(key);
    if (owner === followed) return true;
    if (owner !== undefined && !(isBeginning && this.#isNewer(followed, owner))) return false;
    this.#owners.set(key, followed);
    if (owner === undefined) return true;
    this.#replicas.delete(key);
    const isNeeded = owner.scopes.some((scope) => this.#owners.get(scopeKeyOf(scope)) === owner && this.#wanted.has(scopeKeyOf(scope)));
    if (!isNeeded) this.#end(owner);
    return true;
  }

  #isNewer(followed: Followed, than: Followed): boolean {
    const inOrder = [...this.#followed];
    return inOrder.indexOf(followed) > inOrder.indexOf(than);
  }

  /** The rest may be requested. */
  #answered(): void {
    if (this.#hasAnswered) return;
    this.#hasAnswered = true;
    this.#follow();
  }

  /** What finds no room is read meanwhile. */
  #withoutRoom({ scopes, heard }: Followed): void {
    for (const scope of scopes) heard.add(scopeKeyOf(scope));
    this.#answered();
    this.#wake();
  }

  async #run(followed: Followed): Promise<void> {
    const { carriers, customEdges, clock } = this.#options;
    const { signal } = followed.stop;
    const rules = { customEdges, healthRules: this.#sentRules };
    const specs = followed.scopes.map((scope) => summarySpec(scope, rules));
    const backoff = new Backoff({ initialMs: 500, maxMs: 15_000 });
    while (!signal.aborted) {
      try {
        for await (const word of carriers.viewsStream(specs, signal)) {
          backoff.reset();
          this.#answered();
          this.#take(followed, word);
        }
      } catch (error) {
        if (signal.aborted) return;
        for (const scope of followed.scopes) if (this.#owners.get(scopeKeyOf(scope)) === followed) this.#drop(scope);
        const refusal = agentViewRefusalOf(error);
        if (refusal === "no-views") this.#options.withoutViews.remember();
        if (refusal === "no-views" || refusal === "not-offered") {
          this.#refusedUntilMs = clock.now() + REFUSED_MS;
          this.#hasAnswered = false;
          this.#end(followed);
          return this.#wake();
        }
        if (refusal === "no-room") this.#withoutRoom(followed);
      }
      await sleep(clock, backoff.nextMs(), signal);
    }
  }

  #take(followed: Followed, { place, word }: PlacedWord): void {
    const scope = followed.scopes[place];
    if (scope === undefined) return;
    const key = scopeKeyOf(scope);
    if (!this.#isOwner(followed, key, word.kind === "change" && word.change.reset)) {
      followed.heard.add(key);
      return this.#wake();
    }
    if (word.kind === "change") {
      const replica = this.#replicas.get(key) ?? new Replica();
      this.#replicas.set(key, replica);
      if (!replica.receive(word.change)) return;
      this.#put(scope);
      if (replica.table.get("summary") === undefined) return;
    } else if (word.kind === "end" || !word.isWell) this.#drop(scope);
    else return this.#put(scope);
    followed.heard.add(key);
    this.#wake();
  }

  /** The agent's last summary is current. */
  #put(scope: ViewScope): void {
    const key = scopeKeyOf(scope);
    const value = this.#replicas.get(key)?.table.get("summary");
    const facts = value && factsOf(value, this.#options.clock.now());
    if (facts === undefined) return this.#drop(scope);
    this.#facts.set(key, facts);
    for (const listener of this.#listeners) listener(scope);
  }

  /** It is stale now: its last state stays with the rows that show it. */
  #drop(scope: ViewScope): void {
    if (this.#facts.delete(scopeKeyOf(scope))) for (const listener of this.#listeners) listener(scope);
  }

  #end(followed: Followed): void {
    followed.stop.abort();
    this.#followed.delete(followed);
    for (const scope of followed.scopes) {
      const key = scopeKeyOf(scope);
      if (this.#owners.get(key) !== followed) continue;
      this.#owners.delete(key);
      this.#replicas.delete(key);
      this.#drop(scope);
    }
  }

  #leaveAll(): void {
    for (const followed of this.#followed) this.#end(followed);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** What an index shows of it; `undefined` where the agent does not know, does not know now, or says nothing that can be read. */
function factsOf(value: Uint8Array, nowMs: number): SummaryFacts | undefined {
  const summary = readMessage(ScopeSummarySchema, value);
  if (summary === undefined) return undefined;
  const { gap, health, workloads, workloadsReady, workloadsSuspended, workloadsDown, deployers, changedAt, staleSince } = summary;
  const { images, moreImages } = summary;
  if (gap !== ViewGap.UNSPECIFIED || health === undefined || staleSince !== undefined) return undefined;
  const changedMs = (changedAt && timeOf(changedAt)) ?? 0;
  const counts = { workloads, workloadsReady, workloadsSuspended, workloadsDown, changedMs };
  const tools = deployers && readDeployers(deployers);
  return {
    health,
    ...counts,
    deployers: tools,
    images: readImages(images, moreImages),
    asOfMs: nowMs,
    freshness: { kind: "live" },
    workloadsOnly: false,
  };
}

/** What an agent says of images; what is more than it should list counts as further ones. */
function readImages(images: readonly RunningImage[], more: number): RunningImages {
  const listed = images.slice(0, MAX_IMAGES).map(({ image, workloads, since }) => ({
    image: lineOf(image),
    workloads,
    sinceMs: (since && timeOf(since)) ?? 0,
  }));
  return { images: listed, more: toUint32(more + images.length - listed.length) };
}

/** What an agent says of tools; those that are not known here, and what is more than it should name, count as further ones. */
function readDeployers({ tools, more }: ScopeDeployers): Deployers {
  const shown = shownDeployers(tools.flatMap(({ tool, name, objects }) => (isDeployingTool(tool) ? { tool, name, objects } : []))).tools;
  return { tools: shown, more: toUint32(more + tools.length - shown.length) };
}

/** Several of them as one: the first that knows. */
export function allLive(...sources: readonly LiveSummaries[]): LiveSummaries {
  return {
    liveSummaryOf: (scope) => {
      for (const source of sources) {
        const known = source.liveSummaryOf(scope);
        if (known !== undefined) return known;
      }
      return undefined;
    },
    onChange: (listener) => {
      const ends = sources.map((source) => source.onChange(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    want: (scopes) => {
      for (const source of sources) source.want?.(scopes);
    },
    settled: async (signal) => {
      await Promise.all(sources.map(async (source) => source.settled?.(signal)));
    },
  };
}
