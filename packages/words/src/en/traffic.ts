import type { Catalogue } from "../catalogue.ts";

/** Health of Services and Ingresses. */
export const TRAFFIC = {
  "service/served": "The Service is served",
  "service/address": "The load balancer has an address",
  "service/no-address": "The load balancer has no address yet",
  "service/ports-refused": "The load balancer does not take all ports: {said}",
  "ingress/address": "The Ingress has an address",
  "ingress/no-address-published": "The ingress controller publishes no addresses",
  "ingress/no-address": "The Ingress has no address yet",
} as const satisfies Catalogue;
