import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import type { Clock } from "@binnacle/rpc";

import { addressKey } from "@binnacle/rpc/address-rules";
import { clusterIpsOf, type EndpointReader } from "./endpoint-reader.ts";

/** How long addresses of the API server are believed. */
const MAX_AGE_MS = 60_000;

/** Where the API server is: by its Service, by the endpoints of that, and by the address agentk itself uses. No service may be there. */
export class ApiServerAddresses {
  readonly #reader: EndpointReader;
  readonly #server: URL;
  readonly #clock: Clock;
  #known: { readonly keys: Promise<ReadonlySet<string>>; readonly atMs: number } | undefined;

  constructor(options: { readonly reader: EndpointReader; readonly server: URL; readonly clock: Clock }) {
    this.#reader = options.reader;
    this.#server = options.server;
    this.#clock = options.clock;
  }

  /** Keys of `addressKey`. @throws ServiceRefusal when they cannot be read: then it is unknown what must be rejected */
  keys(): Promise<ReadonlySet<string>> {
    const known = this.#known;
    if (known !== undefined && this.#clock.now() - known.atMs < MAX_AGE_MS) return known.keys;
    const keys = this.#read();
    this.#known = { keys, atMs: this.#clock.now() };
    keys.catch(() => (this.#known = undefined));
    return keys;
  }

  async #read(): Promise<ReadonlySet<string>> {
    // For all callers: none of them ends it.
    const { signal } = new AbortController();
    const place = { namespace: "default", service: "kubernetes" };
    const [slices, service, own] = await Promise.all([
      this.#reader.slices(place, signal),
      this.#reader.service(place, signal),
      addressesOfHost(this.#server.hostname.replaceAll(/^\[|\]$/g, "")),
    ]);
    const addresses = [
      ...slices.flatMap(({ endpoints }) => endpoints.flatMap((endpoint) => endpoint.addresses)),
      ...clusterIpsOf(service),
      ...own,
    ];
    return new Set(addresses.map(addressKey).filter((key) => key !== undefined));
  }
}

/** A kubeconfig may name the API server by a host; what its name says now is where requests go. */
async function addressesOfHost(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    // Through an HTTP proxy the name need not mean anything here.
    return [];
  }
}
