import { HttpKubeClient, type KubeTransport } from "@binnacle/environment-view";

import { KasTransport, type KasTransportOptions } from "./kas-transport.ts";

/** The Kubernetes API behind kas's k8s-proxy, as one viewer. */
export class KasKubeClient extends HttpKubeClient {
  /** The same way, for what changes something (`act`). */
  readonly transport: KubeTransport;

  constructor(options: KasTransportOptions) {
    const transport = new KasTransport(options);
    super(transport, { reading: options.reading });
    this.transport = transport;
  }
}
