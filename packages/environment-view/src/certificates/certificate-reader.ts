import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { apiCodeOf, KubeClientError, type KubeClient } from "../base/kube-client.ts";
import { Semaphore } from "../limits/semaphore.ts";
import type { CertificateReading } from "./certificate-reading.ts";
import { CertificateRequests, type CertificateRequest } from "./certificate-requests.ts";
import { readCertificate } from "./read-certificate.ts";

/** The API server takes Secrets of 1 MiB. */
const MAX_SECRET_BYTES = 1024 * 1024;
/** Secrets at a time, beside all else that is read. */
const CONCURRENT = 2;
/** What has not changed is read again all the same: the right to read it may be gone. */
const HOUR_MS = 60 * 60_000;
/** A Secret that changes all the time is not read more often. */
const LEAST_GAP_MS = 5_000;
/** A refusal holds so long at least: every page that is opened brings a credential. */
const REFUSED_MS = 10 * 60_000;
/** After a request that failed, doubled each time. */
const RETRY_MS = 30_000;
const MAX_RETRY_MS = 5 * 60_000;

/** What a reader works with. */
export interface CertificateReaderOptions {
  readonly client: Pick<KubeClient, "get">;
  readonly clock: Clock;
  /** Of all that the view reads. */
  readonly semaphore: Semaphore;
  /** The kind of Secrets; absent: not known yet, or not served. */
  readonly kind: () => ResourceKind | undefined;
  /** Something else is known of a Secret. */
  readonly changed: (request: CertificateRequest) => void;
}

interface Entry {
  request: CertificateRequest;
  /** Absent: nothing was read. */
  reading?: CertificateReading;
  /** When `reading` was the answer. */
  readAtMs: number;
  /** Version that was read last; absent: none. */
  readVersion?: string;
  /** Not before that. */
  nextAtMs: number;
  failures: number;
  busy: boolean;
}

/** What was read of a Secret, and since when it could not be read again. */
export interface CertificateAnswer {
  readonly reading: CertificateReading;
  /** Milliseconds since the epoch; absent: it is current. */
  readonly asOfMs?: number;
}

/**
 * Reads certificates out of Secrets that Ingresses and Gateways name, as the viewer: one request for each Secret and version, however many
 * readers name it. It retains names and validity; the Secret is dropped before anything is stored. A rejection is cached
 * until the Secret is seen otherwise than before, or a new credential has come.
 */
export class CertificateReader {
  readonly #options: CertificateReaderOptions;
  readonly #requests = new CertificateRequests();
  readonly #entries = new Map<string, Entry>();
  readonly #places = new Semaphore(CONCURRENT);
  #signal: AbortSignal | undefined;

  constructor(options: CertificateReaderOptions) {
    this.#options = options;
  }

  /** Begins to read, until `signal` aborts. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#pump();
  }

  /** Replaces the Secrets that a reader names. */
  want(reader: object, requests: readonly CertificateRequest[]): void {
    this.#requests.set(reader, requests);
    const wanted = this.#requests.wanted();
    for (const request of this.#requests.takeLeftOut()) this.#options.changed(request);
    for (const key of this.#entries.keys()) if (!wanted.has(key)) this.#entries.delete(key);
    for (const [key, request] of wanted) this.#request(key, request);
    this.#pump();
  }

  /** The reader names no Secret any more. */
  leave(reader: object): void {
    if (this.#requests.has(reader)) this.want(reader, []);
  }

  /** What is known of a Secret; `undefined`: no reader requests it. */
  answerOf(namespace: string, name: string): CertificateAnswer | undefined {
    const key = `${namespace}/${name}`;
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#requests.isLeftOut(key) ? { reading: { state: "unread" } } : undefined;
    if (entry.reading === undefined) return { reading: { state: "unknown" } };
    return { reading: entry.reading, ...(entry.failures > 0 ? { asOfMs: entry.readAtMs } : {}) };
  }

  /** Time has passed. */
  review(): void {
    this.#pump();
  }

  /** A new credential has come: rejected requests may be repeated. */
  forgetRefusals(): void {
    for (const entry of this.#entries.values()) if (entry.reading?.state === "not-visible") entry.nextAtMs = entry.readAtMs + REFUSED_MS;
    this.#pump();
  }

  #request(key: string, request: CertificateRequest): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { request, readAtMs: 0, nextAtMs: 0, failures: 0, busy: false });
      return;
    }
    // It is not visible any more: the viewer may have lost the right to it.
    if (entry.request.version !== "" && request.version === "") {
      this.#entries.set(key, { request, readAtMs: 0, nextAtMs: 0, failures: 0, busy: false });
      return;
    }
    entry.request = request;
  }

  #pump(): void {
    const [signal, kind] = [this.#signal, this.#options.kind()];
    if (signal === undefined || signal.aborted || kind === undefined) return;
    for (const entry of this.#entries.values()) {
      if (!this.#isDue(entry)) continue;
      entry.busy = true;
      void this.#places.run(() => this.#options.semaphore.run(() => this.#read(entry, kind, signal)));
    }
  }

  #isDue({ busy, readVersion, request, readAtMs, nextAtMs, failures, reading }: Entry): boolean {
    if (busy) return false;
    const now = this.#options.clock.now();
    const isOther = readVersion !== undefined && readVersion !== request.version && failures === 0;
    // A refusal holds for every version; that the Secret has come into sight means other rights.
    if (isOther && reading?.state === "not-visible") return readVersion === "" || now >= nextAtMs;
    return isOther ? now - readAtMs >= LEAST_GAP_MS : now >= nextAtMs;
  }

  async #read(entry: Entry, kind: ResourceKind, signal: AbortSignal): Promise<void> {
    const { namespace, name, version } = entry.request;
    if (!signal.aborted && this.#entries.get(`${namespace}/${name}`) === entry) {
      try {
        const request = { kind, namespace, name, mostBytes: MAX_SECRET_BYTES };
        // No variable ever holds the Secret.
        this.#learn(entry, version, readCertificate(await this.#options.client.get(request, signal)));
      } catch (error) {
        this.#fail(entry, version, error);
      }
    }
    entry.busy = false;
  }

  #learn(entry: Entry, version: string, reading: CertificateReading): void {
    const now = this.#options.clock.now();
    const wasStale = entry.failures > 0;
    const before = entry.reading;
    entry.readVersion = version;
    entry.reading = reading;
    entry.readAtMs = now;
    entry.failures = 0;
    entry.nextAtMs = reading.state === "not-visible" ? Number.POSITIVE_INFINITY : now + HOUR_MS;
    if (wasStale || JSON.stringify(before) !== JSON.stringify(reading)) this.#options.changed(entry.request);
  }

  #fail(entry: Entry, version: string, error: unknown): void {
    if (apiCodeOf(error) === 403) return this.#learn(entry, version, { state: "not-visible" });
    if (error instanceof KubeClientError && error.failure === "too_large") return this.#learn(entry, version, { state: "unreadable" });
    entry.readVersion = version;
    entry.failures += 1;
    entry.nextAtMs = this.#options.clock.now() + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(entry.failures - 1, 6));
    if (entry.failures === 1) this.#options.changed(entry.request);
  }
}
