import { HttpKubeClient } from "@binnacle/environment-view";

import { KasTransport, type KasTransportOptions } from "./kas-transport.ts";

/** The Kubernetes API behind kas's k8s-proxy, as one viewer. */
export class KasKubeClient extends HttpKubeClient {
  constructor(options: KasTransportOptions) {
    super(new KasTransport(options), { reading: options.reading });
  }
}
