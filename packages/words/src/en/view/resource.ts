import type { Catalogue } from "../../catalogue.ts";

/** What `features/resource` says, once it is loaded. */
export const VIEW_RESOURCE = {
  "resource/namespace": "namespace {namespace}",
  "resource/not-ready-takes": "not ready: takes no traffic",
  "resource/port-not-port": "port {part} is not a port of the Service",
  "resource/ports-not-ports": "ports {ports} are not ports of the Service",
  "resource/service-has-no": "the Service has no such port",
  "resource/the-other-namespace": "the other namespace",
  "resource/weight": "weight {weight}",
  "resource/weight-0-takes": "weight 0: takes no traffic",
  "resource/weight-share": "weight {percent}",
  "resource/refused": "refused: no ReferenceGrant in {where} allows it",
  "resource/ready": "ready",
  "resource/copy-role": "Copy Role",
  "resource/missing-rule": "Missing rule",
  "resource/role-copied": "Copied",
} as const satisfies Catalogue;
