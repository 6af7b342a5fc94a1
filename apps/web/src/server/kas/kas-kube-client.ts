import { createPatientTransport, HttpKubeClient, type KubeTransport } from "@binnacle/environment-view";

import { KasTransport, type KasTransportOptions } from "./kas-transport.ts";

/** What a question of a page may wait for room at the API server, or at kas; a refusal that lasts longer is shown. */
const MAX_PATIENCE_MS = 20_000;

/** The Kubernetes API behind kas's k8s-proxy, as one viewer. Its questions are patient (429 with `Retry-After`). */
export class KasKubeClient extends HttpKubeClient {
  /** The same for changes (`act`): the caller gets every answer, without a retry. */
  readonly transport: KubeTransport;

  constructor(options: KasTransportOptions) {
    const transport = new KasTransport(options);
    const { clock, reading } = options;
    super(createPatientTransport(transport, { mostMs: MAX_PATIENCE_MS, ...(clock === undefined ? {} : { clock }) }), { reading });
    this.transport = transport;
  }
}
