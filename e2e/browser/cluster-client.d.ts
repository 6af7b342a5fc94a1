/* oxlint-disable typescript/no-extraneous-class -- the package declares its APIs as classes */
/** The part of GitLab's client that the test uses; the package ships no declarations. */
declare module "@gitlab/cluster-client" {
  export class Configuration {
    constructor(options: { basePath: string; credentials: RequestCredentials; headers: Record<string, string> });
  }
  export class CoreV1Api {
    constructor(configuration: Configuration);
    listCoreV1NamespacedConfigMap(request: { namespace: string }): Promise<{ items: { metadata?: { name?: string } }[] }>;
  }
  export class WatchApi {
    constructor(configuration: Configuration);
    on(event: "data", listener: (objects: readonly { metadata?: { name?: string } }[]) => void): void;
    on(event: "error", listener: (error: unknown) => void): void;
    subscribeToStream(path: string, query: Record<string, unknown>): Promise<unknown>;
  }
}
