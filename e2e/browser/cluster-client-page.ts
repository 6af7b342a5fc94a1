import { Configuration, CoreV1Api, WatchApi } from "@gitlab/cluster-client";

/** What the test hands to the page: where the proxy is and what GitLab's frontend would send. */
export interface ClusterClientInput {
  readonly basePath: string;
  readonly agentId: string;
  readonly csrfToken: string;
  readonly namespace: string;
}

/** What the page answers. */
export interface ClusterClientState {
  listed: string[];
  watched: string[];
  errors: string[];
}

declare global {
  interface Window {
    clusterClient: { state: ClusterClientState; start(input: ClusterClientInput): Promise<void> };
  }
}

const state: ClusterClientState = { listed: [], watched: [], errors: [] };

interface Named {
  readonly metadata?: { readonly name?: string };
}

const namesOf = (objects: readonly Named[]): string[] => objects.map((object) => object.metadata?.name ?? "");

/** Lists and watches ConfigMaps as GitLab's environment page does: cookie, CSRF token and agent id. */
async function start(input: ClusterClientInput): Promise<void> {
  const configuration = new Configuration({
    basePath: input.basePath,
    credentials: "include",
    headers: { "GitLab-Agent-Id": input.agentId, "X-CSRF-Token": input.csrfToken },
  });
  const list = await new CoreV1Api(configuration).listCoreV1NamespacedConfigMap({ namespace: input.namespace });
  state.listed = namesOf(list.items);
  const watch = new WatchApi(configuration);
  watch.on("data", (objects: readonly Named[]) => void (state.watched = namesOf(objects)));
  watch.on("error", (error: unknown) => void state.errors.push(JSON.stringify(error)));
  await watch.subscribeToStream(`/api/v1/namespaces/${input.namespace}/configmaps`, { watch: true });
}

window.clusterClient = { state, start };
