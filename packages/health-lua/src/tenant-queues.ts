/** Runs of one tenant that wait at most; a view keeps as many objects of a kind. */
const MAX_WAITING = 20_000;
/** Characters of objects that wait with them. */
const MAX_WAITING_CHARS = 64 * 1024 * 1024;
/** Runs of one tenant that begin within a second; about half of what a thread can do. */
const MAX_RUNS_PER_SECOND = 2_000;
const SECOND_MS = 1_000;

/** What waits. */
export interface QueuedRun {
  /** Opaque; equal for all who share a share of the thread. */
  readonly tenant: string;
  /** Characters that are kept for it. */
  readonly chars: number;
}

interface Tenant<T> {
  queue: T[];
  chars: number;
  /** How long the thread has worked for it, on a scale that all tenants share. */
  spentMs: number;
  secondAtMs: number;
  /** Runs that have begun since `secondAtMs`. */
  runs: number;
}

/**
 * One queue per tenant. Next is always the one for whom the thread has worked least, and of equals the one that has waited
 * longest: so tenants whose runs are alike are served round robin, and one with slow runs waits for as long as it makes others wait.
 * A new tenant begins where the others are: unused time is not saved up.
 */
export class TenantQueues<T extends QueuedRun> {
  /** In order of their turn. */
  readonly #tenants = new Map<string, Tenant<T>>();
  /** Where the tenant stood that was served last. */
  #virtualMs = 0;

  /** How many runs wait. */
  get size(): number {
    let size = 0;
    for (const { queue } of this.#tenants.values()) size += queue.length;
    return size;
  }

  /** Puts a run at the end of its tenant's queue. @returns false when that is full: then it is not taken */
  push(run: T): boolean {
    const tenant = this.#tenantOf(run.tenant);
    if (tenant.queue.length >= MAX_WAITING || tenant.chars + run.chars > MAX_WAITING_CHARS) return false;
    if (tenant.queue.length === 0) tenant.spentMs = Math.max(tenant.spentMs, this.#virtualMs);
    tenant.queue.push(run);
    tenant.chars += run.chars;
    return true;
  }

  /** Milliseconds until a run may begin: 0 for now, `undefined` when none waits. */
  waitMs(nowMs: number): number | undefined {
    let least: number | undefined;
    for (const tenant of this.#tenants.values()) {
      if (tenant.queue.length === 0) continue;
      const wait = roomOf(tenant, nowMs) > 0 ? 0 : tenant.secondAtMs + SECOND_MS - nowMs;
      least = Math.min(least ?? wait, wait);
    }
    return least;
  }

  /** The next runs of the next tenant, in order; none when no tenant may begin now. @param max limit */
  take(max: number, nowMs: number): readonly T[] {
    const next = this.#next(nowMs);
    if (next === undefined) return [];
    const [key, tenant] = next;
    if (nowMs - tenant.secondAtMs >= SECOND_MS) [tenant.secondAtMs, tenant.runs] = [nowMs, 0];
    const runs = tenant.queue.splice(0, Math.min(max, roomOf(tenant, nowMs)));
    tenant.runs += runs.length;
    tenant.chars -= charsOf(runs);
    this.#virtualMs = Math.max(this.#virtualMs, tenant.spentMs);
    // Its next turn comes after that of its equals.
    this.#tenants.delete(key);
    this.#tenants.set(key, tenant);
    this.#forgetIdle(nowMs);
    return runs;
  }

  /** Runs that were taken and have not begun wait again, before all others of their tenant. All of one tenant. */
  putBack(runs: readonly T[]): void {
    const [first] = runs;
    if (first === undefined) return;
    const tenant = this.#tenantOf(first.tenant);
    tenant.queue = [...runs, ...tenant.queue];
    tenant.runs = Math.max(0, tenant.runs - runs.length);
    tenant.chars += charsOf(runs);
  }

  /** The thread has worked so long for a tenant. */
  charge(tenant: string, ms: number): void {
    this.#tenantOf(tenant).spentMs += ms;
  }

  /** Takes out all that wait and are meant. */
  remove(isMeant: (run: T) => boolean): readonly T[] {
    const removed: T[] = [];
    for (const tenant of this.#tenants.values()) {
      const others: T[] = [];
      for (const run of tenant.queue) (isMeant(run) ? removed : others).push(run);
      tenant.queue = others;
      tenant.chars = charsOf(others);
    }
    return removed;
  }

  #tenantOf(key: string): Tenant<T> {
    const known = this.#tenants.get(key);
    if (known) return known;
    const tenant = { queue: [], chars: 0, spentMs: this.#virtualMs, secondAtMs: Number.NEGATIVE_INFINITY, runs: 0 };
    this.#tenants.set(key, tenant);
    return tenant;
  }

  #next(nowMs: number): [string, Tenant<T>] | undefined {
    let next: [string, Tenant<T>] | undefined;
    for (const entry of this.#tenants) {
      const [, tenant] = entry;
      if (tenant.queue.length === 0 || roomOf(tenant, nowMs) === 0) continue;
      if (next === undefined || tenant.spentMs < next[1].spentMs) next = entry;
    }
    return next;
  }

  /** Removes tenants without waiting runs that have used no more time than a new one. */
  #forgetIdle(nowMs: number): void {
    for (const [key, { queue, spentMs, secondAtMs }] of this.#tenants) {
      if (queue.length === 0 && spentMs <= this.#virtualMs && nowMs - secondAtMs >= SECOND_MS) this.#tenants.delete(key);
    }
  }
}

/** How many runs may begin. */
function roomOf({ secondAtMs, runs }: { readonly secondAtMs: number; readonly runs: number }, nowMs: number): number {
  return nowMs - secondAtMs >= SECOND_MS ? MAX_RUNS_PER_SECOND : Math.max(0, MAX_RUNS_PER_SECOND - runs);
}

function charsOf(runs: readonly QueuedRun[]): number {
  return runs.reduce((sum, { chars }) => sum + chars, 0);
}
