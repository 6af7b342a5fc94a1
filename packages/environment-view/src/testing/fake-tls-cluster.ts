import { createStatus, type KubeObject } from "@binnacle/kube";

import { FakeCluster } from "./fake-cluster.ts";
import { KubeClientError, type ObjectRequest } from "../base/kube-client.ts";

/** Stands in every Secret beside the certificate, and nowhere else. */
export const CANARY = "canary-0451";

/** A Secret of type kubernetes.io/tls. @param certificate PEM, or whatever stands in its place */
export function secretWith(certificate: string): KubeObject {
  const data = { "tls.crt": Buffer.from(certificate).toString("base64"), "tls.key": Buffer.from(CANARY).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "tls" }, type: "kubernetes.io/tls", data: { ...data, other: CANARY } };
}

/** Lists Secrets without their content, and returns all of it in a request for a single one. */
export class TlsCluster extends FakeCluster {
  readonly reads: string[] = [];
  readonly bounds: (number | undefined)[] = [];
  isForbidden = false;
  isLost = false;
  isTooLarge = false;
  /** Secrets are never answered. */
  isSilent = false;
  content = "";

  override async get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    this.reads.push(request.name);
    this.bounds.push(request.mostBytes);
    if (this.isSilent) await new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
    if (this.isForbidden) throw new KubeClientError("api", "secrets is forbidden", { status: createStatus(403, "no") });
    if (this.isLost) throw new KubeClientError("api", "not found", { status: createStatus(404, "no") });
    if (this.isTooLarge) throw new KubeClientError("too_large", "too large");
    const { metadata } = await super.get(request, signal);
    return { ...secretWith(this.content), metadata };
  }
}
