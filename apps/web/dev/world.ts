import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  EdgeSchema,
  HealthStatus,
  NodeSchema,
  Presence,
  ResourceHealthSchema,
  ResourceRefSchema,
  type Edge,
  type ManagedBy,
  type Node,
  type Notice,
  type Why,
  type Words,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";

const RESOURCES: Readonly<Record<string, readonly [string, string]>> = {
  Pod: ["", "pods"],
  ReplicaSet: ["apps", "replicasets"],
  Deployment: ["apps", "deployments"],
  StatefulSet: ["apps", "statefulsets"],
  CronJob: ["batch", "cronjobs"],
  Job: ["batch", "jobs"],
  Service: ["", "services"],
  EndpointSlice: ["discovery.k8s.io", "endpointslices"],
  Ingress: ["networking.k8s.io", "ingresses"],
  ConfigMap: ["", "configmaps"],
  Secret: ["", "secrets"],
  PersistentVolumeClaim: ["", "persistentvolumeclaims"],
  HorizontalPodAutoscaler: ["autoscaling", "horizontalpodautoscalers"],
  ServiceAccount: ["", "serviceaccounts"],
  PodDisruptionBudget: ["policy", "poddisruptionbudgets"],
  HTTPRoute: ["gateway.networking.k8s.io", "httproutes"],
  Widget: ["example.com", "widgets"],
};

/** What a node of the fixture says beyond its kind and name. */
export interface NodeOptions {
  readonly owner?: string;
  readonly status?: HealthStatus;
  readonly reason?: string;
  readonly message?: string;
  readonly fact?: string;
  readonly ready?: number;
  readonly wanted?: number;
  readonly presence?: Presence;
  readonly superseded?: boolean;
  readonly worstBelow?: HealthStatus;
  readonly externalUrl?: string;
  readonly images?: string[];
  readonly sinceMs?: number;
  readonly causes?: string[];
  readonly why?: Why;
  readonly rule?: string;
  readonly because?: Words;
  readonly notices?: Notice[];
  readonly managedBy?: ManagedBy;
  readonly nodeName?: string;
}

/** A small cluster made up for screenshots and tests. */
export class World {
  readonly nodes = new Map<string, Node>();
  readonly edges = new Map<string, Edge>();
  readonly #numbers = new Map<string, number>();
  readonly namespace: string;
  readonly nowMs: number;

  constructor(namespace: string, nowMs: number) {
    this.namespace = namespace;
    this.nowMs = nowMs;
  }

  /** Adds or replaces a node and gives its id. */
  node(kind: string, name: string, options: NodeOptions = {}): string {
    const [group, resource] = RESOURCES[kind] ?? ["", `${kind.toLowerCase()}s`];
    const id = `${kind.toLowerCase()}:${name}`;
    const status = options.status ?? HealthStatus.UNSPECIFIED;
    const since = timestampFromMs(options.sinceMs ?? this.nowMs - 4 * 60_000);
    this.nodes.set(
      id,
      create(NodeSchema, {
        id: this.#numberOf(id),
        ref: create(ResourceRefSchema, { group, version: "v1", kind, resource, namespace: this.namespace, name }),
        presence: options.presence ?? Presence.PRESENT,
        ...(status === HealthStatus.UNSPECIFIED
          ? {}
          : {
              health: create(ResourceHealthSchema, {
                status,
                reason: options.reason ?? "",
                words: toWordsMessage(quoted(options.message ?? "")),
                since,
                causes: (options.causes ?? []).flatMap((causeId) => this.#cause(causeId)),
                rule: options.rule ?? "",
                ...(options.because === undefined ? {} : { because: options.because }),
                ...(options.why === undefined ? {} : { why: options.why }),
              }),
            }),
        worstBelow: options.worstBelow ?? status,
        ...(options.fact !== undefined && { factWords: toWordsMessage(quoted(options.fact)) }),
        ownerId: options.owner === undefined ? 0 : this.#numberOf(options.owner),
        ready: options.ready ?? -1,
        wanted: options.wanted ?? -1,
        createdAt: timestampFromMs(this.nowMs - 3 * 3_600_000),
        externalUrl: options.externalUrl ?? "",
        superseded: options.superseded ?? false,
        images: options.images ?? [],
        notices: options.notices ?? [],
        nodeName: options.nodeName ?? "",
        ...(options.managedBy === undefined ? {} : { managedBy: options.managedBy }),
      }),
    );
    if (options.owner !== undefined)
      this.edge(id, options.owner, { kind: "owner", edgeClass: "owner", paths: ["metadata.ownerReferences[0]"], reversed: true });
    return id;
  }

  /** Adds an edge from the holder of the reference. */
  edge(
    from: string,
    to: string,
    options: {
      readonly kind: string;
      readonly edgeClass: string;
      readonly paths?: string[];
      readonly missing?: boolean;
      readonly refused?: boolean;
      readonly reversed?: boolean;
      readonly missingPorts?: string[];
      readonly ready?: boolean;
      readonly weight?: number;
      readonly share?: number;
    },
  ): void {
    const id = `${from}>${to}:${options.kind}`;
    this.edges.set(
      id,
      create(EdgeSchema, {
        id: this.#numberOf(id),
        from: this.#numberOf(from),
        to: this.#numberOf(to),
        kind: options.kind,
        edgeClass: options.edgeClass,
        fieldPaths: options.paths ?? [],
        missing: options.missing ?? false,
        refused: options.refused ?? false,
        flowReversed: options.reversed ?? false,
        portMissing: options.missingPorts !== undefined,
        missingPorts: options.missingPorts ?? [],
        ...(options.ready === undefined ? {} : { ready: options.ready }),
        ...(options.weight === undefined ? {} : { weight: options.weight }),
        ...(options.share === undefined ? {} : { share: options.share }),
      }),
    );
  }

  #numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1;
    this.#numbers.set(id, number);
    return number;
  }

  #cause(id: string): { ref: NonNullable<Node["ref"]>; status: HealthStatus; reason: string; words?: Words }[] {
    const node = this.nodes.get(id);
    if (node?.ref === undefined) return [];
    const missing = node.presence === Presence.MISSING;
    return [
      {
        ref: node.ref,
        status: missing ? HealthStatus.MISSING : (node.health?.status ?? HealthStatus.UNSPECIFIED),
        reason: missing ? "does not exist" : (node.health?.reason ?? ""),
        ...(node.health?.words === undefined ? {} : { words: node.health.words }),
      },
    ];
  }
}
