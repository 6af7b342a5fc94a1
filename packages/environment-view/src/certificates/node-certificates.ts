import { isDeepStrictEqual } from "node:util";

import type { GraphEdge, GraphNode, ResourceGraph } from "@binnacle/graph";
import type { KnownCertificate } from "@binnacle/health";
import { fieldsAt, listAt, textAt, textOf, type ObjectKey } from "@binnacle/kube";

import type { CertificateAnswer } from "./certificate-reader.ts";
import type { CertificateRequest } from "./certificate-requests.ts";

/** Edges to Secrets with certificates. */
const TLS_EDGES: ReadonlySet<string> = new Set(["ing-tls", "gw-cert"]);
const MAX_NAMES = 100;

/** Whether an edge leads to a Secret with a certificate. */
export function isTlsEdge({ kind }: GraphEdge): boolean {
  return TLS_EDGES.has(kind);
}

/** What is known of a Secret; `undefined`: no reader requests it. */
export type AnswerOf = (namespace: string, name: string) => CertificateAnswer | undefined;

/** Which Secrets with certificates the Ingresses and Gateways of a graph name, and what is known of them. */
export class NodeCertificates {
  readonly #graph: ResourceGraph;
  readonly #answerOf: AnswerOf | undefined;
  readonly #requests = new Map<string, readonly CertificateRequest[]>();
  #isOther = false;

  constructor(graph: ResourceGraph, answerOf: AnswerOf | undefined) {
    this.#graph = graph;
    this.#answerOf = answerOf;
  }

  /** Ids of those that name one. */
  holders(): IterableIterator<string> {
    return this.#requests.keys();
  }

  /** A node is as it is now; notes which Secrets it names. */
  upsert(id: string, node: GraphNode | undefined): void {
    if (node === undefined) return this.remove(id);
    if (!isHolder(node)) return;
    const requests = this.#secretsOf(node).map(({ namespace, name, object }) => ({
      namespace,
      name,
      version: object?.metadata.resourceVersion ?? "",
    }));
    if (requests.length === 0) return this.remove(id);
    if (isDeepStrictEqual(this.#requests.get(id), requests)) return;
    this.#requests.set(id, requests);
    this.#isOther = true;
  }

  remove(id: string): void {
    if (this.#requests.delete(id)) this.#isOther = true;
  }

  /** All that are named, when they have changed since the last call. */
  takeRequests(): readonly CertificateRequest[] | undefined {
    if (!this.#isOther) return undefined;
    this.#isOther = false;
    return [...this.#requests.values()].flat();
  }

  /** Ids of those that name a Secret, by the id of it or of a Certificate that writes it. */
  holdersOf(node: GraphNode): readonly string[] {
    if (node.kind === "Secret" && node.group === "") return this.#holding(node.id);
    if (!isCertificate(node)) return [];
    const edges = this.#graph.edgesOf(node.id);
    return edges.flatMap((edge) => (edge.from === node.id && edge.kind === "cert" ? this.#holding(edge.to) : []));
  }

  /** Ids of those that name this Secret. */
  holdersOfKey(key: ObjectKey): readonly string[] {
    const id = this.#graph.findTarget({ key, uid: "" });
    return id === undefined
      ? [...this.#requests].flatMap(([holder, requests]) => (requests.some(isOf(key)) ? holder : []))
      : this.#holding(id);
  }

  /** What is known of the certificates that a node names; `undefined` where it names none. */
  of(node: GraphNode): readonly KnownCertificate[] | undefined {
    if (this.#answerOf === undefined || !isHolder(node)) return undefined;
    const found = this.#secretsOf(node).map((secret) => this.#known(secret));
    return found.length === 0 ? undefined : found;
  }

  #known({ id, namespace, name }: GraphNode): KnownCertificate {
    const { reading, asOfMs } = this.#answerOf?.(namespace, name) ?? { reading: { state: "unknown" as const } };
    const declared = reading.state === "not-visible" ? this.#declaredBy(id, name) : undefined;
    const asOf = asOfMs === undefined ? {} : { asOf: new Date(asOfMs).toISOString() };
    return { namespace, secret: name, ...(declared ?? reading), ...asOf };
  }

  /** What the cert-manager Certificate that writes the Secret reports. */
  #declaredBy(secretId: string, name: string): Omit<KnownCertificate, "namespace" | "secret"> | undefined {
    for (const edge of this.#graph.edgesOf(secretId)) {
      const from = edge.to === secretId && edge.kind === "cert" ? this.#graph.node(edge.from) : undefined;
      if (from?.object === undefined || !isCertificate(from)) continue;
      const [spec, status] = [fieldsAt(from.object, "spec"), fieldsAt(from.object, "status")];
      const notAfter = textAt(status, "notAfter");
      if (textAt(spec, "secretName") !== name || Number.isNaN(Date.parse(notAfter))) continue;
      const names = [...listAt(spec, "dnsNames"), ...listAt(spec, "ipAddresses")].map(textOf).filter(Boolean);
      const cut = names.length > MAX_NAMES ? { namesCut: true } : {};
      const notBefore = textAt(status, "notBefore");
      return { state: "known", names: names.slice(0, MAX_NAMES), ...cut, notBefore, notAfter, by: from.name };
    }
    return undefined;
  }

  /** Without those that are known to be missing, and those that no ReferenceGrant opens. */
  #secretsOf(node: GraphNode): GraphNode[] {
    const found = new Map<string, GraphNode>();
    for (const edge of this.#graph.edgesOf(node.id)) {
      if (edge.from !== node.id || !isTlsEdge(edge) || edge.refused) continue;
      const target = this.#graph.node(edge.to);
      if (target?.kind === "Secret" && target.group === "" && target.presence !== "missing") found.set(target.id, target);
    }
    return [...found.values()];
  }

  #holding(secretId: string): string[] {
    return this.#graph.edgesOf(secretId).flatMap((edge) => (edge.to === secretId && isTlsEdge(edge) ? edge.from : []));
  }
}

function isHolder({ group, kind }: GraphNode): boolean {
  if (kind === "Ingress") return group === "networking.k8s.io" || group === "extensions";
  return kind === "Gateway" && group === "gateway.networking.k8s.io";
}

function isCertificate({ group, kind }: GraphNode): boolean {
  return kind === "Certificate" && group === "cert-manager.io";
}

function isOf(key: ObjectKey): (request: CertificateRequest) => boolean {
  return ({ namespace, name }) => namespace === key.namespace && name === key.name;
}
