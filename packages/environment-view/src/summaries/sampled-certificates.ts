import type { ResourceKind } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";

import { CertificateReader } from "../certificates/certificate-reader.ts";
import type { CertificateRequest } from "../certificates/certificate-requests.ts";
import type { AnswerOf } from "../certificates/node-certificates.ts";
import type { KubeClient } from "../base/kube-client.ts";
import { kindId } from "../scope/kind-plan.ts";
import { Semaphore } from "../limits/semaphore.ts";
import type { RequestPace } from "../limits/request-pace.ts";

/** What certificates of samples are read with. */
export interface SampledCertificatesOptions {
  readonly client: Pick<KubeClient, "get">;
  readonly clock: Clock;
  readonly pace: RequestPace;
  /** What is served now. */
  readonly kinds: () => readonly ResourceKind[] | undefined;
}

/**
 * Certificates that Ingresses and Gateways of sampled scopes name: a look names them, they are read at the pace of samples, and the look
 * waits a little for those of which nothing is known; later ones are known at the next look. A Secret of any version is read once an hour
 * at least, and at most 100 are.
 */
export class SampledCertificates {
  readonly #clock: Clock;
  readonly #reader: CertificateReader;
  /** Secrets whose reading has ended in whatever way, by namespace and name. */
  readonly #heard = new Set<string>();
  readonly #news = new Set<() => void>();
  /** Scope → who names its Secrets. */
  readonly #scopes = new Map<string, object>();

  constructor({ client, clock, pace, kinds }: SampledCertificatesOptions) {
    this.#clock = clock;
    this.#reader = new CertificateReader({
      client: {
        get: async (request, signal) => {
          await pace.turn(signal);
          return client.get(request, signal);
        },
      },
      clock,
      semaphore: new Semaphore(1),
      kind: () => kinds()?.find((kind) => kindId(kind) === "/secrets"),
      changed: (request) => {
        this.#heard.add(keyOf(request));
        for (const tell of this.#news) tell();
      },
    });
  }

  /** Begins to read, until `signal` aborts. */
  start(signal: AbortSignal): void {
    this.#reader.start(signal);
  }

  /** What is known now. */
  readonly answerOf: AnswerOf = (namespace, name) => this.#reader.answerOf(namespace, name);

  /** These are the Secrets that a scope names. */
  want(scopeKey: string, requests: readonly CertificateRequest[]): void {
    const scope = this.#scopes.get(scopeKey) ?? {};
    this.#scopes.set(scopeKey, scope);
    this.#reader.want(scope, requests);
  }

  /** Waits for those that were never heard of, at most until that moment. @returns whether anything was heard of them */
  async firstWordOf(requests: readonly CertificateRequest[], untilMs: number, signal: AbortSignal): Promise<boolean> {
    const isWaiting = (request: CertificateRequest): boolean =>
      !this.#heard.has(keyOf(request)) && this.#reader.answerOf(request.namespace, request.name)?.reading.state === "unknown";
    const before = requests.filter(isWaiting);
    while (before.some(isWaiting) && this.#clock.now() < untilMs && !signal.aborted) await this.#next(untilMs, signal);
    return before.some((request) => !isWaiting(request));
  }

  /** Something is heard, that moment has come, or `signal` aborts. */
  async #next(untilMs: number, signal: AbortSignal): Promise<void> {
    const heard = new AbortController();
    const tell = (): void => heard.abort();
    this.#news.add(tell);
    await sleep(this.#clock, untilMs - this.#clock.now(), AbortSignal.any([signal, heard.signal]));
    this.#news.delete(tell);
  }

  /** A look begins: only these scopes are wanted, and time has passed. */
  keep(wanted: ReadonlyMap<string, unknown>): void {
    for (const [key, scope] of this.#scopes) {
      if (wanted.has(key)) continue;
      this.#scopes.delete(key);
      this.#reader.leave(scope);
    }
    for (const key of this.#heard) {
      const [namespace = "", name = ""] = key.split("/");
      if (this.#reader.answerOf(namespace, name) === undefined) this.#heard.delete(key);
    }
    this.#reader.review();
  }
}

function keyOf({ namespace, name }: CertificateRequest): string {
  return `${namespace}/${name}`;
}
