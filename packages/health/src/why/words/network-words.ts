import type { WordTable } from "./words.ts";

/** Services, Ingresses and routes. Facts: kind, name, namespace, backend, selector, ready, total, said, type. */
export const NETWORK_WORDS = {
  "no-endpoints": {
    reason: "NoEndpoints",
    message: "Service {name} has no endpoints[: no pod has the labels {selector}]",
    nextStep: "Start pods that match the selector of Service {name}, or correct the selector[ {selector}].",
  },
  "no-ready-endpoints": {
    reason: "NoReadyEndpoints",
    message: "None of the endpoints of Service {name} is ready (0 of {total})",
    nextStep: "Make the pods behind Service {name} ready; start with their readiness probes.",
  },
  "backend-not-ready": {
    reason: "BackendNotReady",
    message: "{kind} {name} sends traffic to Service {backend}, which has no ready endpoints",
    nextStep: "Make the pods behind Service {backend} ready.",
  },
  "backend-missing": {
    reason: "BackendNotFound",
    message: "{kind} {name} sends traffic to Service {backend}, which does not exist",
    nextStep: "Create Service {backend} in namespace {namespace}, or correct the backend of {kind} {name}.",
  },
  "load-balancer": {
    reason: "AddressPending",
    message: "No load balancer has given Service {name} an address[: {said}]",
    nextStep: "Check that the cluster has a load balancer controller and read its log, or use another Service type.",
  },
  "load-balancer-failed": {
    reason: "LoadBalancerFailed",
    message: "The load balancer of Service {name} cannot be set up[: {said}]",
    nextStep: "Correct what the load balancer controller names: quota, permission, address or annotation.",
  },
  "ingress-address": {
    reason: "AddressPending",
    message: "No ingress controller has given Ingress {name} an address",
    nextStep: "Check that the ingress class[ {type}] exists and that its controller runs.",
  },
  "no-address-published": {
    reason: "NoAddressPublished",
    message: "The ingress controller publishes no addresses, so that Ingress {name} shows none",
    nextStep: "Let the controller publish its address (publishService or the like) if you want to see it; traffic may flow all the same.",
  },
} as const satisfies WordTable;
