import type { Catalogue } from "../catalogue.ts";

/** Probes. Facts: container, target, said. */
export const PROBE = {
  "probe/readiness": "{^container} fails its readiness probe[ ({target})][: {said}]",
  "probe/readiness/next": "Make {container} answer its readiness probe[ ({target})], or correct the probe in the spec.",
  "probe/liveness": "{^container} fails its liveness probe[ ({target})] and is restarted for it[: {said}]",
  "probe/liveness/next": "Make {container} answer its liveness probe[ ({target})] in time, or give the probe a longer timeout.",
  "probe/startup": "{^container} fails its startup probe[ ({target})][: {said}]",
  "probe/startup/next":
    "Raise failureThreshold of the startup probe[ ({target})] if {container} needs longer to start, or repair its start.",
  "probe/silent": "{^container} runs, and its readiness probe[ ({target})] has not succeeded",
  "probe/silent/next":
    "Check in the log of {container} whether it has started, and that its readiness probe[ ({target})] asks the right thing.",
  "probe/target/http": "GET {path} on port {port}",
  "probe/target/tcp": "TCP port {port}",
  "probe/target/grpc": "gRPC port {port}",
  "probe/target/command": "command {command}",
} as const satisfies Catalogue;
