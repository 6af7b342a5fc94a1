import { fieldsAt, listPath, objectPath, textAt, type Fields, type KindPath } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";

import { isOk, refusal, type ApiAnswer, type ClusterApi } from "../../cluster-access/cluster-api.ts";

const LEASES: KindPath = { group: "coordination.k8s.io", version: "v1", resource: "leases", namespaced: true };

/** A holder that has not renewed for this long has lost it. */
const DURATION_MS = 15_000;
/** The holder stops acting when it could not renew for so long: before another one may begin. */
const GIVE_UP_MS = 10_000;
const RENEW_MS = 5_000;
const RETRY_MS = 2_000;
/** A release at shutdown takes no longer. */
const RELEASE_MS = 2_000;

type Whose = "ours" | "theirs" | "unknown";

/** What a lease needs. */
export interface LeaseOptions {
  readonly api: ClusterApi;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** Who we are; another one for every process. */
  readonly holder: string;
  /** What one holder leaves for the next. Default: nothing. */
  readonly notes?: readonly LeaseNotes[];
}

/** Annotations of the Lease that its holder keeps: read when the Lease is taken, written with each renewal. */
export interface LeaseNotes {
  load(annotations: Fields): void;
  toAnnotations(): Readonly<Record<string, string>>;
}

/**
 * Lets one process at a time do something, by a Lease of the cluster as client-go's leader election keeps it. Ages are measured by our own
 * clock since we saw the Lease change, so clocks need not agree.
 */
export class Lease {
  readonly #options: LeaseOptions;
  #seen: { readonly version: string; readonly atMs: number } | undefined;
  #renewedAtMs = 0;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Does `act` whenever the lease is ours, again and again until `signal` aborts. The signal that `act` gets aborts when the lease is lost; the
   * lease is given up for others only when `act` has ended.
   */
  async run(act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      if ((await this.#take(signal)) === "ours") await this.#hold(act, signal);
      await sleep(clock, RETRY_MS, signal);
    }
  }

  async #hold(act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const lost = new AbortController();
    const over = new AbortController();
    const working = act(AbortSignal.any([signal, lost.signal])).finally(() => over.abort());
    const watch = async (): Promise<void> => {
      while (!over.signal.aborted) {
        // The last word is the clock: a request that hangs must not keep us acting.
        const leftMs = this.#renewedAtMs + GIVE_UP_MS - clock.now();
        const cancel = clock.after(Math.max(0, leftMs), () => lost.abort());
        await sleep(clock, RENEW_MS, over.signal);
        const whose = over.signal.aborted ? "ours" : await this.#take(AbortSignal.any([over.signal, lost.signal]));
        cancel();
        if (whose === "theirs") lost.abort();
        if (whose === "unknown" && clock.now() - this.#renewedAtMs >= GIVE_UP_MS) lost.abort();
        if (lost.signal.aborted) return;
      }
    };
    await Promise.all([working, watch()]);
    if (!lost.signal.aborted) await this.#release();
  }

  /** Takes or renews the lease. @returns whose it is now */
  async #take(signal: AbortSignal): Promise<Whose> {
    const { clock, holder, notes = [] } = this.#options;
    const requestedAt = clock.now();
    try {
      const answer = await this.#get(signal);
      if (answer.statusCode === 404) {
        const made = await this.#write("POST", { metadata: {}, spec: {} }, signal);
        return this.#ours(isOk(made), requestedAt);
      }
      if (!isOk(answer)) throw refusal("the lease cannot be read", answer);
      const metadata = fieldsAt(answer.value, "metadata");
      const spec = fieldsAt(answer.value, "spec");
      const version = textAt(metadata, "resourceVersion");
      if (this.#seen?.version !== version) this.#seen = { version, atMs: requestedAt };
      const other = textAt(spec, "holderIdentity");
      if (other !== "" && other !== holder && clock.now() - this.#seen.atMs < DURATION_MS) return "theirs";
      if (other !== holder) for (const each of notes) each.load(fieldsAt(metadata, "annotations"));
      const written = await this.#write("PUT", { metadata, spec }, signal);
      return this.#ours(isOk(written), requestedAt);
    } catch {
      // Who holds it goes on until its time is over.
      return "unknown";
    }
  }

  /** After a rejected write the holder is unknown until the next read: another one may have written. */
  #ours(isOurs: boolean, requestedAt: number): Whose {
    if (!isOurs) return "unknown";
    this.#renewedAtMs = requestedAt;
    return "ours";
  }

  /** Lets another one begin at once. */
  async #release(): Promise<void> {
    const late = new AbortController();
    const cancel = this.#options.clock.after(RELEASE_MS, () => late.abort());
    const { signal } = late;
    try {
      const answer = await this.#get(signal);
      const metadata = fieldsAt(answer.value, "metadata");
      const spec = fieldsAt(answer.value, "spec");
      if (textAt(spec, "holderIdentity") !== this.#options.holder) return;
      await this.#write("PUT", { metadata, spec, holder: "" }, signal);
    } catch {
      // It runs out.
    } finally {
      cancel();
    }
  }

  #get(signal: AbortSignal): Promise<ApiAnswer> {
    return this.#options.api.call({ method: "GET", target: objectPath(LEASES, this.#options), signal });
  }

  #write(
    method: "POST" | "PUT",
    lease: { readonly metadata: Fields; readonly spec: Fields; readonly holder?: string },
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    const { api, clock, namespace, name, holder, notes = [] } = this.#options;
    const now = new Date(clock.now()).toISOString().replace("Z", "000Z");
    const previous = textAt(lease.spec, "holderIdentity");
    const holderIdentity = lease.holder ?? holder;
    const spec = {
      ...lease.spec,
      holderIdentity,
      leaseDurationSeconds: DURATION_MS / 1_000,
      renewTime: now,
      ...(previous === holderIdentity ? {} : { acquireTime: now }),
    };
    const noted = Object.fromEntries(notes.flatMap((each) => Object.entries(each.toAnnotations())));
    const annotations = { ...fieldsAt(lease.metadata, "annotations"), ...noted };
    const metadata = { ...lease.metadata, annotations, name, namespace };
    const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
    const target = method === "POST" ? listPath(LEASES, { namespace }) : objectPath(LEASES, this.#options);
    return api.call({ method, target, body, signal });
  }
}

/** As `Lease.run` with several of them, taken in order: acts only while all are held, and stops when one is lost. */
export async function runHolding(
  leases: readonly Lease[],
  act: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const [first, ...others] = leases;
  await (first === undefined ? act(signal) : first.run((held) => runHolding(others, act, held), signal));
}
