import type { Catalogue } from "../catalogue.ts";

/** Health of Services and Ingresses. */
export const TRAFFIC = {
  "service/no-health": "A Service of this type has no health of its own",
  "service/no-endpoints": "The Service has no endpoints",
  "service/none-ready": "{total, plural, one {The only endpoint is not ready} other {None of the {total} endpoints is ready}}",
  "service/served": "{ready} of {total, plural, one {{total} endpoint is} other {{total} endpoints are}} ready",
  "service/port-not-found":
    "No pod behind the Service has {count, plural, one {a port} other {ports}} called {targets}, so that traffic to it goes nowhere",
  "service/address": "The load balancer has an address",
  "service/no-address": "The load balancer has no address yet",
  "service/no-address-published": "The controller of the load balancer publishes no address",
  "service/ports-refused": "The load balancer does not take all ports: {said}",
  "ingress/address": "The Ingress has an address",
  "ingress/no-address-published": "The ingress controller publishes no addresses",
  "ingress/no-address": "The Ingress has no address yet",
} as const satisfies Catalogue;
