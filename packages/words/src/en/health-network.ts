import type { Catalogue } from "../catalogue.ts";

/** Messages about Services, Ingresses, routes and certificates. */
export const HEALTH_NETWORK = {
  // Health of Services and Ingresses.
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
  // Services, Ingresses and routes. Facts: kind, name, namespace, backend, selector, ready, total, said, type, secret, time, hosts, count,
  // ports, targets.
  "network/no-endpoints": "Service {name} has no endpoints{has_selector, select, no {} other {: no pod has the labels {selector}}}",
  "network/no-endpoints/next":
    "Start pods that match the selector of Service {name}, or correct the selector{has_selector, select, no {} other { {selector}}}.",
  "network/no-ready-endpoints": "None of the endpoints of Service {name} is ready (0 of {total})",
  "network/no-ready-endpoints/next": "Make the pods behind Service {name} ready; start with their readiness probes.",
  "network/backend-not-ready": "{kind} {name} sends traffic to Service {backend}, which has no ready endpoints",
  "network/backend-not-ready/next": "Make the pods behind Service {backend} ready.",
  "network/backend-missing": "{kind} {name} sends traffic to Service {backend}, which does not exist",
  "network/backend-missing/next": "Create Service {backend} in namespace {namespace}, or correct the backend of {kind} {name}.",
  "network/port-missing":
    "{kind} {name} sends traffic to {count, plural, one {port} other {ports}} {ports} of Service {backend}, which has no such {count, plural, one {port} other {ports}}",
  "network/port-missing/next":
    "Add {count, plural, one {port} other {ports}} {ports} to Service {backend} in namespace {namespace}, or correct the backend of {kind} {name}.",
  "network/target-port":
    "No pod behind Service {name} has {count, plural, one {a port} other {ports}} called {targets}{has_ports, select, no {} other {; its pods call their ports {ports}}}, so that traffic goes nowhere",
  "network/target-port/next":
    "Set targetPort of Service {name} to a port that its pods have{has_ports, select, no {} other { ({ports})}}, or name the port of the pods {targets}.",
  "network/load-balancer": "No load balancer has given Service {name} an address{has_said, select, no {} other {: {said}}}",
  "network/load-balancer/next": "Check that the cluster has a load balancer controller and read its log, or use another Service type.",
  "network/load-balancer-failed": "The load balancer of Service {name} cannot be set up{has_said, select, no {} other {: {said}}}",
  "network/load-balancer-failed/next": "Correct what the load balancer controller names: quota, permission, address or annotation.",
  "network/ingress-address": "No ingress controller has given Ingress {name} an address",
  "network/ingress-address/next":
    "Check that the ingress class{has_type, select, no {} other { {type}}} exists and that its controller runs.",
  "network/no-address-published": "The ingress controller publishes no addresses, so that Ingress {name} shows none",
  "network/no-address-published/next":
    "Let the controller publish its address (publishService or the like) if you want to see it; traffic may flow all the same.",
  "network/no-address-seen":
    "Ingress {name} has no address, and whether its controller publishes addresses at all cannot be seen in these namespaces alone",
  "network/no-address-seen/next":
    "Ask the operator of the ingress controller whether it publishes addresses; traffic may flow all the same.",
  "network/slice-not-ready": "{ready} of {total} endpoints of EndpointSlice {name} are ready",
  "network/slice-not-ready/next": "Make the pods behind EndpointSlice {name} ready; start with their readiness probes.",
  "network/ports-refused": "The load balancer of Service {name} does not take all of its ports{has_said, select, no {} other {: {said}}}",
  "network/ports-refused/next": "Split Service {name} into one for each protocol, or use a load balancer that takes them together.",
  "network/certificate-expired": "The certificate in Secret {secret} expired{has_time, select, no {} other { at {time} UTC}}",
  "network/certificate-expired/next": "Renew the certificate in Secret {secret}; clients refuse the connection until then.",
  "network/certificate-not-yet-valid":
    "The certificate in Secret {secret} is not valid{has_time, select, no {} other { before {time} UTC}}",
  "network/certificate-not-yet-valid/next": "Put a certificate into Secret {secret} that is valid now, or correct the clock of its issuer.",
  "network/certificate-expires-soon": "The certificate in Secret {secret} expires soon{has_time, select, no {} other {, at {time} UTC}}",
  "network/certificate-expires-soon/next": "Renew the certificate in Secret {secret}, or check why it is not renewed by itself.",
  "network/certificate-chain-expired":
    "A certificate of the chain in Secret {secret} expired{has_time, select, no {} other { at {time} UTC}}; some clients refuse it",
  "network/certificate-chain-expired/next": "Put the current intermediate certificates of the issuer into Secret {secret}.",
  "network/certificate-host":
    "{count, plural, one {Host} other {Hosts}} {hosts} {count, plural, one {is} other {are}} not among the names of the certificate in Secret {secret}",
  "network/certificate-host/next": "Issue a certificate for all hosts of {kind} {name}, or correct the hosts.",
  "network/certificate-unreadable": "Secret {secret} has no readable certificate",
  "network/certificate-unreadable/next": "Put a certificate in PEM into tls.crt of Secret {secret}, the one of the host first.",
  "network/certificate-wrong-type": "Secret {secret} is not of type kubernetes.io/tls",
  "network/certificate-wrong-type/next": "Create Secret {secret} anew with type kubernetes.io/tls, which controllers of {kind} look for.",
  // What is known of a certificate, for the drawer. Facts: secret, names, more, time, by, as.
  "certificate/known":
    "Certificate in Secret {secret}{has_time, select, no {} other {: valid until {time} UTC}}{has_names, select, no {} other {, for {names}}}{has_more, select, no {} other { and {more} more}}{has_as, select, no {} other { (as of {as} UTC)}}",
  "certificate/known-by":
    "Certificate in Secret {secret}, by Certificate {by}{has_time, select, no {} other {: valid until {time} UTC}}{has_names, select, no {} other {, for {names}}}{has_more, select, no {} other { and {more} more}}",
  "certificate/unreadable": "Secret {secret} has no readable certificate",
  "certificate/wrong-type": "Secret {secret} is not of type kubernetes.io/tls, so its certificate is not read",
  "certificate/not-visible": "The certificate in Secret {secret} is not visible to you",
  "certificate/unknown": "The certificate in Secret {secret} has not been read yet",
  "certificate/unread": "The certificate in Secret {secret} is not read: too many are named here",
} as const satisfies Catalogue;
