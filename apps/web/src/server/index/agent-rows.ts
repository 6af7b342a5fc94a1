import { isDeepStrictEqual } from "node:util";

import {
  KubeClientError,
  scopeKeyOf,
  type Summary,
  type SummaryChange,
  type SummaryRequest,
  type SummarySubscription,
} from "@binnacle/environment-view";
import { ProblemKind, RowsSeenSchema, type Delivery, type EnvironmentRow, type Problem } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Backoff, sleep } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import { indexPath } from "../../features/address/route-path.ts";
import { openKasAccess, type ConnectedEnvironment, type KasAccessContext } from "../environment/connected-environment.ts";
import { AgentDeliveries, type DeployedScope } from "../delivery/agent-deliveries.ts";
import { deliveryOf } from "../delivery/delivery.ts";
import { toDelivery } from "../delivery/to-delivery.ts";
import { reviewIdentity, type ClusterIdentity } from "../kas/cluster-identity.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { toRow } from "./environment-row.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import { recheckSubscriber, whyRefused, type ProofOutcome, type Subscriber, type ProofContext } from "../environment/recheck-subscriber.ts";
import { tenantOf } from "../kas/tenant.ts";
import type { KnownConnection } from "../wire/to-proto.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { awayAs, connectionMeanwhile, isLetThrough, type AbsencesContext } from "../kas/way-behind-kas.ts";
import type { IdentitiesContext } from "../kas/proved-identities.ts";
import type { SyncsContext } from "../syncs/gitops-syncs.ts";
import { isSameEnvironment, nameAsId, type RowsChange } from "./rows-change.ts";
import type { SummaryRegistry } from "./summary-registry.ts";
import type { ViewRegistry } from "../shared-views/view-registry.ts";

/** What the rows of an agent are read with. */
export interface AgentRowsContext extends KasAccessContext, ProofContext, AbsencesContext, IdentitiesContext, SyncsContext {
  readonly registry: Pick<ViewRegistry, "followViews" | "lastSummary">;
  readonly summaries: Pick<SummaryRegistry, "join" | "lastOf">;
}

/** Environments of the agent through which a viewer's way is tried one after the other, when the main application does not know the first any more. */
const MAX_DOORS = 3;
/** The rights of a viewer whom the agent rejects are checked again this often. */
const ASK_AGAIN_MS = 30_000;

/** Whose rows they are. */
export interface AgentRowsOptions {
  readonly viewer: MainViewer;
  readonly viewerAccess: ViewerAccess;
  /** Rows have all their issues. */
  readonly allIssues: boolean;
  /** Rows have the images that run. */
  readonly images?: boolean | undefined;
  /** Names an environment among the others of this index; absent: its name, which only a project's are by. */
  readonly idOf?: ((environment: EnvironmentRecord) => string) | undefined;
  /** There is something to take. */
  readonly changed: () => void;
}

/**
 * The rows of one index whose environments have the same agent: one identity, one proof and one subscription to summaries for all of
 * them. A rejected viewer is checked again, so that rows come back with the right.
 */
export class AgentRows {
  readonly #context: AgentRowsContext;
  readonly #options: AgentRowsOptions;
  readonly #environments = new Map<string, ConnectedEnvironment>();
  readonly #summaries = new Map<string, Summary>();
  readonly #changed = new Set<string>();
  readonly #seen = new Set<string>();
  #visible: ReadonlySet<string> = new Set();
  #subscription: SummarySubscription | undefined;
  /** The environment through which the agent is reached now; aborts when it leaves the list. */
  #door: { readonly id: string; readonly left: AbortController } | undefined;
  /** Ids of doors that the main application did not open since the list was read last. */
  readonly #closedDoors = new Set<string>();
  #connection: KnownConnection | undefined;
  /** Identity whose last numbers are shown, while the current one of the viewer is not known. */
  #shownOf: string | undefined;
  #problem: Problem | undefined;
  #moved = false;
  /** Of this viewer, as kas lets him use the agent. */
  #deliveries: AgentDeliveries | undefined;

  constructor(context: AgentRowsContext, options: AgentRowsOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** These are the environments now, and these of them are on the screen. Never an empty list. */
  set(environments: readonly ConnectedEnvironment[], visible: ReadonlySet<string>): void {
    const now = new Map(environments.map((environment) => [this.#idOf(environment), environment]));
    for (const name of this.#environments.keys()) if (!now.has(name)) this.#remove(name);
    for (const [name, environment] of now) {
      const before = this.#environments.get(name);
      this.#environments.set(name, environment);
      if (before !== environment && (before === undefined || !isSameEnvironment(before, environment))) this.#changed.add(name);
    }
    this.#visible = visible;
    this.#closedDoors.clear();
    if (this.#door !== undefined && !now.has(this.#door.id)) this.#door.left.abort();
    // Scopes that no environment has any more, after a change of the team's file, are dropped.
    const wanted = this.#namesByScope();
    for (const key of this.#summaries.keys()) if (!wanted.has(key)) this.#summaries.delete(key);
    this.#subscription?.want(this.#request());
  }

  /** What has changed since the last time. */
  take(): RowsChange {
    const [changed, seenNames] = [new Set(this.#changed), new Set(this.#seen)];
    // Whatever becomes of it: the next time is about what changes from now on.
    this.#changed.clear();
    this.#seen.clear();
    const rows = [...changed].flatMap((id) => {
      const row = this.#rowOf(id);
      return row === undefined ? [] : [{ id, row }];
    });
    const seen = new Map<number, string[]>();
    for (const name of seenNames) {
      const asOfMs = this.#summaryOf(name)?.known?.asOfMs;
      if (asOfMs === undefined || changed.has(name)) continue;
      const names = seen.get(asOfMs) ?? [];
      names.push(name);
      seen.set(asOfMs, names);
    }
    return { rows, seen: [...seen].map(([asOfMs, names]) => create(RowsSeenSchema, { asOf: toTimestamp(asOfMs), names })) };
  }

  /** Feeds the rows until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const deliveries = this.#followDeliveries(AbortSignal.any([signal, ended.signal]));
    try {
      await this.#runRows(signal);
    } finally {
      ended.abort();
      await deliveries;
    }
  }

  async #runRows(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const subscriber = this.#subscriber();
      if (subscriber === undefined) return;
      const id = this.#idOf(subscriber.environment);
      const left = new AbortController();
      this.#door = { id, left };
      const open = AbortSignal.any([signal, left.signal]);
      const identified = await this.#identify(subscriber, open);
      if (identified !== undefined && !("problem" in identified)) this.#proved(subscriber.access, identified.identity);
      const outcome =
        identified === undefined || "problem" in identified ? identified : await this.#follow({ ...subscriber, ...identified }, open);
      if (signal.aborted) return;
      // A review environment has gone: the way to the others leads through another one.
      if (outcome === undefined) continue;
      this.#context.pictures.identities.forget(this.#options.viewer.username, subscriber.access);
      if ("problem" in outcome && this.#isOfDoor(outcome.problem, id)) continue;
      if ("problem" in outcome) {
        this.#fail(outcome.problem);
        await sleep(this.#context.clock, ASK_AGAIN_MS, signal);
      } else this.#forget();
    }
  }

  /** One of the environments is the door to the agent; those in folders come and go, so another one is taken first. */
  #subscriber(): Subscriber | undefined {
    const { viewer, viewerAccess } = this.#options;
    const environments = [...this.#environments.values()];
    const open = environments.filter((each) => !this.#closedDoors.has(this.#idOf(each)));
    const environment = open.find(({ name }) => !name.includes("/")) ?? open[0] ?? environments[0];
    if (environment === undefined) return undefined;
    const access = openKasAccess(this.#context, viewerAccess, environment);
    return { viewer, viewerAccess, environment, access, returnPath: indexPath(environment.projectPath) };
  }

  /** Whether it is a problem of that environment alone, and another one may still lead to the agent. */
  #isOfDoor({ kind }: Problem, id: string): boolean {
    if (kind !== ProblemKind.NOT_FOUND && kind !== ProblemKind.NO_AGENT) return false;
    this.#closedDoors.add(id);
    return this.#closedDoors.size < Math.min(MAX_DOORS, this.#environments.size);
  }

  async #identify(
    subscriber: Subscriber,
    signal: AbortSignal,
  ): Promise<{ readonly identity: ClusterIdentity | undefined } | { readonly problem: Problem } | undefined> {
    const { clock } = this.#context;
    const backoff = new Backoff({ initialMs: 500, maxMs: 10_000 });
    const sinceMs = clock.now();
    while (!signal.aborted) {
      const answer = reviewIdentity(subscriber.access.client, signal);
      try {
        void this.#showMeanwhile(subscriber.access, answer, signal);
        return { identity: await answer };
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!(error instanceof KubeClientError)) throw error;
        const problem = error.failure === "unauthorized" ? await whyRefused(this.#context, subscriber, signal) : undefined;
        if (problem) return { problem };
        const away = awayAs(this.#context, subscriber.access, error);
        this.#connected(away.state === "connecting" ? { ...away, sinceMs } : away);
        if (isLetThrough(error)) this.#showLast(subscriber.access);
        await sleep(clock, backoff.nextMs(), signal);
      }
    }
    return undefined;
  }

  /** The cluster has not answered yet: rows say how the way is known to be, beside the numbers of the last time. */
  async #showMeanwhile(access: KasAccess, answer: Promise<unknown>, signal: AbortSignal): Promise<void> {
    if (this.#connection !== undefined) return;
    const known = await connectionMeanwhile(this.#context, access, { answer, signal });
    if (known === undefined || this.#connection !== undefined || signal.aborted) return;
    this.#connected(known);
    this.#showLast(access);
  }

  /** Until the agent answers, rows have the numbers that this identity saw last. */
  #showLast(access: KasAccess): void {
    const { pictures, summaries, registry } = this.#context;
    const proved = pictures.identities.of(this.#options.viewer.username, access);
    if (proved === undefined) return;
    this.#shownOf = proved.tenant;
    const before = this.#summaries.size;
    for (const environment of this.#environments.values()) {
      const scope = scopeOf(environment);
      if (this.#summaries.has(scopeKeyOf(scope))) continue;
      const known = registry.lastSummary(proved.tenant, scope) ?? summaries.lastOf(proved.tenant, scope);
      if (known !== undefined) this.#summaries.set(scopeKeyOf(scope), { scope, known });
    }
    if (this.#summaries.size > before) this.#touchAll();
  }

  /** The cluster says who the viewer is: what was another's goes. */
  #proved(access: KasAccess, identity: ClusterIdentity | undefined): void {
    const tenant = tenantOf(access, identity);
    this.#context.pictures.identities.prove(this.#options.viewer.username, access, identity);
    if (this.#shownOf !== undefined && this.#shownOf !== tenant) this.#forget();
    this.#shownOf = tenant;
  }

  /** @returns how it ended; `undefined` when `signal` aborted */
  async #follow(
    subscriber: Subscriber & { readonly identity: ClusterIdentity | undefined },
    signal: AbortSignal,
  ): Promise<ProofOutcome | undefined> {
    // A session that has ended meanwhile brings no credential along.
    if (signal.aborted) return undefined;
    const membership = this.#context.summaries.join(subscriber.access, subscriber.identity);
    if (this.#problem !== undefined) {
      this.#problem = undefined;
      this.#touchAll();
    }
    const subscription = membership.source.open(this.#request(), () => this.#took(subscription.take()));
    this.#subscription = subscription;
    const open = this.#context.registry.followViews(tenantOf(subscriber.access, subscriber.identity));
    const endComparing = this.#deliveriesOf(subscriber).compareWith(open, (scopeKey) => this.#touch(scopeKey));
    try {
      const outcome = await recheckSubscriber(this.#context, subscriber, signal);
      if (outcome?.kind === "problem") membership.refuse();
      else if (outcome) membership.moved();
      return outcome;
    } finally {
      this.#subscription = undefined;
      endComparing();
      subscription.close();
      membership.leave();
    }
  }

  /** Rows have their delivery, also while the agent is away: kas answers for itself. */
  async #followDeliveries(signal: AbortSignal): Promise<void> {
    const { gitops } = this.#context;
    while (!signal.aborted) {
      const subscriber = this.#subscriber();
      if (subscriber === undefined) return;
      const deliveries = this.#deliveriesOf(subscriber);
      const scopes = [...this.#environments.values()].map((environment) => this.#deployedScope(environment));
      for (const name of await deliveries.read(scopes)) this.#changed.add(name);
      if (this.#changed.size > 0) this.#options.changed();
      await gitops.changed(subscriber.access, signal);
    }
  }

  #deliveriesOf({ access, viewerAccess }: Subscriber): AgentDeliveries {
    this.#deliveries ??= new AgentDeliveries({ gitops: this.#context.gitops, viewerAccess, access });
    return this.#deliveries;
  }

  #deliveryOf(environment: ConnectedEnvironment): Delivery {
    const { deployment } = environment;
    if (this.#problem?.kind === ProblemKind.AGENT_FORBIDDEN) return toDelivery(deliveryOf({ deployment, syncs: { state: "forbidden" } }));
    return this.#deliveries?.of(this.#deployedScope(environment)) ?? toDelivery(deliveryOf({ deployment, syncs: undefined }));
  }

  #deployedScope(environment: ConnectedEnvironment): DeployedScope {
    const { deployment } = environment;
    const scope = scopeOf(environment);
    return { name: this.#idOf(environment), scope, deployment, deployers: this.#summaries.get(scopeKeyOf(scope))?.known?.deployers };
  }

  #touch(scopeKey: string): void {
    for (const name of this.#namesByScope().get(scopeKey) ?? []) this.#changed.add(name);
    if (this.#changed.size > 0) this.#options.changed();
  }

  #request(): SummaryRequest {
    const environments = [...this.#environments.values()];
    return {
      scopes: environments.map(scopeOf),
      visible: environments.filter((environment) => this.#visible.has(this.#idOf(environment))).map(scopeOf),
    };
  }

  #took(change: SummaryChange | undefined): void {
    if (change === undefined || this.#subscription === undefined) return;
    const names = this.#namesByScope();
    for (const summary of change.summaries) {
      const key = scopeKeyOf(summary.scope);
      this.#summaries.set(key, summary);
      for (const name of names.get(key) ?? []) this.#changed.add(name);
    }
    for (const { asOfMs, scopes } of change.seen) {
      for (const key of scopes.map(scopeKeyOf)) {
        const summary = this.#summaries.get(key);
        if (summary?.known === undefined) continue;
        this.#summaries.set(key, { ...summary, known: { ...summary.known, asOfMs } });
        for (const name of names.get(key) ?? []) this.#seen.add(name);
      }
    }
    if (change.connection) this.#connected(change.connection);
    this.#options.changed();
  }

  #connected(connection: KnownConnection): void {
    const before = this.#connection;
    this.#connection = connection;
    if (!isDeepStrictEqual(before, connection)) this.#touchAll();
  }

  /** Nothing may be shown any more. */
  #fail(problem: Problem): void {
    this.#problem = problem;
    this.#connection = undefined;
    this.#forget();
  }

  /** What was known belongs to another identity. */
  #forget(): void {
    this.#moved = true;
    this.#summaries.clear();
    this.#touchAll();
  }

  #touchAll(): void {
    for (const name of this.#environments.keys()) this.#changed.add(name);
    this.#options.changed();
  }

  #remove(name: string): void {
    this.#environments.delete(name);
    this.#changed.delete(name);
    this.#seen.delete(name);
  }

  #summaryOf(name: string): Summary | undefined {
    const environment = this.#environments.get(name);
    return environment && this.#summaries.get(scopeKeyOf(scopeOf(environment)));
  }

  #rowOf(name: string): EnvironmentRow | undefined {
    const environment = this.#environments.get(name);
    if (environment === undefined) return undefined;
    const delivery = this.#deliveryOf(environment);
    const [connection, problem, summary] = [this.#connection, this.#problem, this.#summaryOf(name)];
    const { allIssues, images } = this.#options;
    return toRow({ environment, delivery, connection, problem, summary, moved: this.#moved, allIssues, images: images === true });
  }

  /** Two environments may have the same namespace. */
  #namesByScope(): ReadonlyMap<string, readonly string[]> {
    const names = new Map<string, string[]>();
    for (const environment of this.#environments.values()) {
      const key = scopeKeyOf(scopeOf(environment));
      names.set(key, [...(names.get(key) ?? []), this.#idOf(environment)]);
    }
    return names;
  }

  #idOf(environment: EnvironmentRecord): string {
    return (this.#options.idOf ?? nameAsId)(environment);
  }
}
