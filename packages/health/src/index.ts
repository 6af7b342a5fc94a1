export { HEALTH_ORDER, rankOf, worstOf, type HealthStatus } from "./health-status.ts";
export { type HealthCause, type HealthContext, type HealthRef, type HealthResult } from "./health-result.ts";
export { health } from "./health.ts";
export { hasHealthRule, isCustomGroup } from "./rule-registry.ts";
export { missingHealth } from "./missing-health.ts";
export { rollUp, type HiddenKind, type RollUp, type RollUpOptions, type RollUpRoot } from "./roll-up.ts";
export { factOf } from "./fact.ts";
export { replicasOf, type Replicas } from "./replicas.ts";
