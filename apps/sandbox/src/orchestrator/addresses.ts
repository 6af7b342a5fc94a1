import type { Flags } from "../flags.ts";
import type { FreePorts } from "./free-port.ts";

/** Ports of one kas. */
export interface KasPorts {
  readonly agent: number;
  readonly api: number;
  readonly k8sProxy: number;
  readonly privateApi: number;
  readonly observability: number;
}

/** An address people use in a browser, and the one processes dial. Both without a trailing slash. */
interface Address {
  readonly external: string;
  readonly internal: string;
}

/** Every address of a sandbox. */
export interface Addresses {
  readonly dashboard: Address & { readonly port: number };
  readonly mainApplication: Address & { readonly port: number };
  /** One per kas: its k8s-proxy without the prefix. */
  readonly k8sProxies: readonly Address[];
  readonly kasPorts: readonly KasPorts[];
  /** One per agent. */
  readonly agentkObservability: readonly number[];
  readonly webObservability: number;
}

/** Path below which kas serves the Kubernetes API. */
export const K8S_PROXY_PREFIX = "/k8s-proxy/";

/** Host names of `--host-names`; only a browser resolves them. */
export const HOST_NAMES = { mainApplication: "app.localhost", kas: "kas.app.localhost" } as const;

/**
 * Chooses ports, which stay held until they are handed over, and derives the addresses. The k8s-proxy speaks https always: kubectl
 * sends no credentials over http.
 */
export async function chooseAddresses(
  flags: Pick<Flags, "port" | "kas" | "agents" | "tls" | "hostNames">,
  ports: FreePorts,
): Promise<Addresses> {
  const address = (host: string, port: number, scheme = flags.tls ? "https" : "http"): Address => ({
    external: `${scheme}://${flags.hostNames ? host : "127.0.0.1"}:${port}`,
    internal: `${scheme}://127.0.0.1:${port}`,
  });
  const dashboardPort = flags.port === 0 ? await ports.hold() : flags.port;
  const mainPort = await ports.hold();
  const kasPorts: KasPorts[] = [];
  for (let index = 0; index < flags.kas; index++) {
    const [agent, api, k8sProxy, privateApi, observability] = [
      await ports.hold(),
      await ports.hold(),
      await ports.hold(),
      await ports.hold(),
      await ports.hold(),
    ];
    kasPorts.push({ agent, api, k8sProxy, privateApi, observability });
  }
  const agentkObservability: number[] = [];
  for (let index = 0; index < flags.agents; index++) agentkObservability.push(await ports.hold());
  return {
    dashboard: { ...address(HOST_NAMES.mainApplication, dashboardPort), port: dashboardPort },
    mainApplication: { ...address(HOST_NAMES.mainApplication, mainPort), port: mainPort },
    k8sProxies: kasPorts.map((kas) => address(HOST_NAMES.kas, kas.k8sProxy, "https")),
    kasPorts,
    agentkObservability,
    webObservability: await ports.hold(),
  };
}
