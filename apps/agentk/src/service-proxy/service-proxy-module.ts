import type { AgentConfiguration } from "@binnacle/proto/agentcfg";

import type { AgentMethods } from "../reverse-tunnel/agent-call.ts";
import { isRelayed } from "../kubernetes-api/http-request.ts";
import { LoadingCall, type LoadedMethod } from "../reverse-tunnel/loading-call.ts";
import { ServiceEntries } from "./service-entries.ts";
import type { ServiceProxyOptions, ServiceProxyParts } from "./service-proxy-parts.ts";

/** Full name of the method that makes a request to a service. */
const MAKE_REQUEST = "/kas.v1.ServiceProxy/MakeRequest";

/** Requests to services of the cluster. The code for them is loaded with the first one: an agent without such requests does not use memory for it. */
export class ServiceProxyModule {
  readonly #options: ServiceProxyOptions;
  readonly #entries: ServiceEntries;
  #loading: Promise<(asksFirst: boolean) => LoadedMethod> | undefined;

  constructor(options: Omit<ServiceProxyOptions, "entries">) {
    this.#entries = new ServiceEntries();
    this.#options = { ...options, entries: this.#entries };
  }

  /** The method for services that kas can call through this agent's tunnels. */
  get methods(): AgentMethods {
    return new Map([[MAKE_REQUEST, ({ metadata }, reply) => new LoadingCall(this.#load(isRelayed(metadata, "continue")), reply)]]);
  }

  /** Applies the services of a configuration; none: no service is reachable. */
  configure(configuration: AgentConfiguration): void {
    this.#entries.configure(configuration.binnacle?.services ?? []);
  }

  async #load(asksFirst: boolean): Promise<LoadedMethod> {
    this.#loading ??= Promise.all([import("./service-call.ts"), import("./service-proxy-parts.ts")]).then(
      async ([{ ServiceCall }, { createServiceProxyParts }]) => {
        const parts: ServiceProxyParts = await createServiceProxyParts(this.#options);
        return (first) => ({ open: (reply) => new ServiceCall(parts, { reply, asksFirst: first }) });
      },
    );
    return (await this.#loading)(asksFirst);
  }
}
