import type { Catalogue } from "../catalogue.ts";

/** Probes. Facts: container, target, said. */
export const PROBE = {
  "probe/readiness":
    "{Container} fails its readiness probe{has_target, select, no {} other { ({target})}}{has_said, select, no {} other {: {said}}}",
  "probe/readiness/next":
    "Make {container} answer its readiness probe{has_target, select, no {} other { ({target})}}, or correct the probe in the spec.",
  "probe/liveness":
    "{Container} fails its liveness probe{has_target, select, no {} other { ({target})}} and is restarted for it{has_said, select, no {} other {: {said}}}",
  "probe/liveness/next":
    "Make {container} answer its liveness probe{has_target, select, no {} other { ({target})}} in time, or give the probe a longer timeout.",
  "probe/startup":
    "{Container} fails its startup probe{has_target, select, no {} other { ({target})}}{has_said, select, no {} other {: {said}}}",
  "probe/startup/next":
    "Raise failureThreshold of the startup probe{has_target, select, no {} other { ({target})}} if {container} needs longer to start, or repair its start.",
  "probe/silent": "{Container} runs, and its readiness probe{has_target, select, no {} other { ({target})}} has not succeeded",
  "probe/silent/next":
    "Check in the log of {container} whether it has started, and that its readiness probe{has_target, select, no {} other { ({target})}} asks the right thing.",
  "probe/target/http": "GET {path} on port {port}",
  "probe/target/tcp": "TCP port {port}",
  "probe/target/grpc": "gRPC port {port}",
  "probe/target/command": "command {command}",
} as const satisfies Catalogue;
