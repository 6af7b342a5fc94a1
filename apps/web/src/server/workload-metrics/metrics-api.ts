import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import {
  InvalidPathError,
  listAt,
  listPath,
  objectPath,
  textAt,
  fieldsAt,
  type KubeObject,
  type ResourceKind,
  quantityOf,
} from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import { FreshAnswers } from "../base/fresh-answers.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { Measured, MeasuredLine, MetricsRefusal } from "./measured.ts";
import { selectorTextOf } from "../base/selector-text.ts";

/** metrics-server itself looks each 15 s. */
const FRESH_MS = 5_000;
const REFUSED_MS = 60_000;
const LIMIT_MS = 20_000;
const MAX_ANSWERS = 200;
/** Of more pods requests and limits are not sent: a partial sum would be wrong. */
const MAX_PODS = 500;
const PODS = { group: "", version: "v1", resource: "pods", namespaced: true } as const;
const POD_METRICS = { group: "metrics.k8s.io", version: "v1beta1", resource: "pods", namespaced: true } as const;
const RESOURCES = ["cpu", "memory"] as const;

/** Whose pods: those of the namespace, of a workload of it, or one of them. */
export interface PodsQuestion {
  readonly namespace: string;
  /** Absent: all. */
  readonly of?: { readonly kind: ResourceKind; readonly name: string };
}

/** Present values by resource, or why there are none. */
export type PodsAnswer =
  { readonly kind: "measured"; readonly lines: Readonly<Record<PodResource, readonly MeasuredLine[]>> } | MetricsRefusal;

type Way = Pick<KasAccess, "credentialKey" | "agentId" | "client">;

/** What metrics.k8s.io measures. */
type PodResource = "cpu" | "memory";

/**
 * Present values of metrics.k8s.io for pods, with requests and limits of their specs, queried as the viewer. An answer is for the credential
 * of its query, and no other.
 */
export class MetricsApi {
  readonly #answers: FreshAnswers<PodsAnswer>;

  constructor(clock: Clock) {
    this.#answers = new FreshAnswers(clock, MAX_ANSWERS);
  }

  /** Queried at most five seconds ago; a rejection at most a minute ago. */
  read(access: Way, question: PodsQuestion): Promise<PodsAnswer> {
    const { namespace, of } = question;
    const key = JSON.stringify([access.credentialKey, String(access.agentId), namespace, of?.kind.resource, of?.kind.group, of?.name]);
    return this.#answers.read(key, async () => {
      const { answer, isLasting } = await ask(access.client, question, AbortSignal.timeout(LIMIT_MS));
      return { answer, freshMs: isLasting ? REFUSED_MS : FRESH_MS };
    });
  }
}

/** The lines of one of the two. */
export function ofResource(answer: PodsAnswer, resource: PodResource): Measured {
  return answer.kind === "measured" ? { kind: "measured", lines: answer.lines[resource] } : answer;
}

async function ask(
  client: Way["client"],
  question: PodsQuestion,
  signal: AbortSignal,
): Promise<{ readonly answer: PodsAnswer; readonly isLasting: boolean }> {
  let isOfMetrics = false;
  try {
    const paths = await pathsOf(client, question, signal);
    isOfMetrics = true;
    if (paths === undefined) return { answer: { kind: "refused", why: words("metrics/no-selector") }, isLasting: false };
    const measured = itemsOf(await client.json({ path: paths.metrics }, signal));
    const pods = await podsAt(client, paths.pods, signal);
    const entries = RESOURCES.map((resource) => [resource, [...usageOf(measured, resource), ...reservedOf(pods, resource)]] as const);
    // fromEntries forgets the keys; they are those of RESOURCES.
    const lines = Object.fromEntries(entries) as Record<PodResource, readonly MeasuredLine[]>;
    return { answer: { kind: "measured", lines: measured.length === 0 ? NOTHING : lines }, isLasting: false };
  } catch (error) {
    if (error instanceof InvalidPathError) return { answer: { kind: "refused", why: words("request/no-name") }, isLasting: true };
    if (!(error instanceof KubeClientError)) throw error;
    const refusal = isOfMetrics ? refusalOf(error, question) : undefined;
    const why = refusal ?? (signal.aborted ? words("request/no-answer-in-time") : error.words);
    return { answer: { kind: "refused", why }, isLasting: refusal !== undefined };
  }
}

/** Requests of pods without measurements are no measurement. */
const NOTHING = { cpu: [], memory: [] } as const;

/** `undefined` for a workload that selects no pods. @throws KubeClientError when it cannot be read */
async function pathsOf(
  client: Way["client"],
  { namespace, of }: PodsQuestion,
  signal: AbortSignal,
): Promise<{ readonly metrics: string; readonly pods: string } | undefined> {
  if (of === undefined) return { metrics: listPath(POD_METRICS, { namespace }), pods: listPath(PODS, { namespace, limit: MAX_PODS }) };
  const { kind, name } = of;
  if (kind.resource === "pods")
    return { metrics: objectPath(POD_METRICS, { namespace, name }), pods: objectPath(PODS, { namespace, name }) };
  const workload: KubeObject = await client.get({ kind, namespace, name }, signal);
  const labelSelector = selectorTextOf(workload);
  if (labelSelector === undefined) return undefined;
  const query = { namespace, labelSelector };
  return { metrics: listPath(POD_METRICS, query), pods: listPath(PODS, { ...query, limit: MAX_PODS }) };
}

/** Pods whose requests and limits are sent: none when there are more, or the viewer may not read them. */
async function podsAt(client: Way["client"], path: string, signal: AbortSignal): Promise<readonly unknown[]> {
  try {
    const value = await client.json({ path }, signal);
    return textAt(fieldsAt(value, "metadata"), "continue") === "" ? itemsOf(value) : [];
  } catch (error) {
    if (error instanceof KubeClientError) return [];
    throw error;
  }
}

/** Items of a list, or the one object. */
function itemsOf(value: unknown): readonly unknown[] {
  return textAt(value, "kind").endsWith("List") ? listAt(value, "items") : [value];
}

/** A rejection that lasts for at least a minute; `undefined` for any other error. */
function refusalOf(error: KubeClientError, { namespace }: PodsQuestion): Words | undefined {
  switch (apiCodeOf(error)) {
    case 404:
      return words("metrics/api-not-served");
    case 403:
      return words("metrics/api-forbidden", { namespace });
    default:
      return undefined;
  }
}

/** Sum of what the containers of PodMetrics use; none when none is measured. */
function usageOf(pods: readonly unknown[], resource: PodResource): readonly MeasuredLine[] {
  const containers = pods.flatMap((pod) => listAt(pod, "containers"));
  return lineOf(
    "usage",
    containers.map((container) => quantityOf(fieldsAt(container, "usage")[resource])),
  );
}

/** Sums of what the containers of these pods request, and may use at most; of what says nothing there is no line. */
function reservedOf(pods: readonly unknown[], resource: PodResource): readonly MeasuredLine[] {
  const containers = pods.filter(isRunning).flatMap((pod) => listAt(fieldsAt(pod, "spec"), "containers"));
  return (["requests", "limits"] as const).flatMap((name) =>
    lineOf(
      name,
      containers.map((container) => quantityOf(fieldsAt(fieldsAt(container, "resources"), name)[resource])),
    ),
  );
}

/** One that has ended uses nothing. */
function isRunning(pod: unknown): boolean {
  const phase = textAt(fieldsAt(pod, "status"), "phase");
  return phase !== "Succeeded" && phase !== "Failed";
}

function lineOf(name: string, amounts: readonly (number | undefined)[]): readonly MeasuredLine[] {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? [] : [{ name, values: [known.reduce((sum, amount) => sum + amount, 0)] }];
}
