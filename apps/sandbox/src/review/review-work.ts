import { readFileSync } from "node:fs";
import { join } from "node:path";

import { KubeHttp, messageOf } from "../cluster/kube-http.ts";
import type { KubeAccess } from "../cluster/kubeconfig-file.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests, type Manifest } from "../cluster/manifest.ts";
import { DEMO_DIR } from "../demo/demo-agents.ts";
import { proxyServer } from "../orchestrator/user-kubeconfigs.ts";
import type { ReviewJob, ReviewWork } from "./review-apps.ts";

const MANIFESTS = join(DEMO_DIR, "manifests/review");

/** Where jobs work. */
export interface ReviewWorkOptions {
  /** As an administrator: namespaces are not the jobs' to make, as with clusters that GitLab manages. */
  readonly cluster: KubeAccess;
  /** Address of kas' Kubernetes proxy, with its prefix. */
  readonly k8sProxy: string;
  readonly caFile: string;
  readonly signal: AbortSignal;
}

/** What jobs do in the cluster: through kas, with the job's own token and rights. */
export function reviewWork({ cluster, k8sProxy, caFile, signal }: ReviewWorkOptions): ReviewWork {
  const asAdministrator = <T>(work: (http: KubeHttp) => Promise<T>): Promise<T> => using(cluster, work);
  const asJob = <T>({ job, environment }: ReviewJob, work: (http: KubeHttp) => Promise<T>): Promise<T> => {
    const token = `ci:${environment.agentId}:${job.token}`;
    const access = { server: proxyServer(k8sProxy), token, ca: readFileSync(caFile), clientCertificate: undefined, clientKey: undefined };
    return using(access, work);
  };
  return {
    deploy: async (of) => {
      const { namespace } = of.environment;
      await asAdministrator((http) => new ManifestApplier(http, signal).apply([namespaceManifest(namespace)]));
      const manifests = readManifests(MANIFESTS, new Date(), { NAMESPACE: namespace, SHA: of.branch.sha.slice(0, 8) });
      await asJob(of, (http) => new ManifestApplier(http, signal).apply(manifests));
    },
    stop: async (of) => {
      const { namespace } = of.environment;
      await asJob(of, async (http) => {
        for (const path of [`/apis/apps/v1/namespaces/${namespace}/deployments/web`, `/api/v1/namespaces/${namespace}/services/web`]) {
          await remove(http, path);
        }
      });
      await asAdministrator((http) => remove(http, `/api/v1/namespaces/${namespace}`));
    },
  };
}

async function using<T>(access: KubeAccess, work: (http: KubeHttp) => Promise<T>): Promise<T> {
  const http = new KubeHttp(access);
  try {
    return await work(http);
  } finally {
    await http.close();
  }
}

async function remove(http: KubeHttp, path: string): Promise<void> {
  const reply = await http.send({ method: "DELETE", path });
  if (reply.status >= 300 && reply.status !== 404) throw new Error(`${path} cannot be deleted: ${messageOf(reply)}`);
}

function namespaceManifest(name: string): Manifest {
  const [apiVersion, kind] = ["v1", "Namespace"];
  return { apiVersion, kind, name, namespace: undefined, object: { apiVersion, kind, metadata: { name } }, status: undefined };
}
