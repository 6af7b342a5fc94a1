export { HEALTH_ORDER, rankOf, worstOf, type HealthStatus } from "./health-status.ts";
export { type HealthCause, type HealthContext, type HealthRef, type HealthResult, type HealthScope } from "./health-result.ts";
export { boundedWords } from "./bounded-words.ts";
export { certificateFacts } from "./certificate/certificate-facts.ts";
export { type KnownCertificate } from "./certificate/known-certificate.ts";
export { health } from "./health.ts";
export { isCustomGroup } from "./kubernetes-groups.ts";
export { hasHealthRule } from "./rule-registry.ts";
export { type Activity, type ActivityCount } from "./activity.ts";
export { isLostWithNode } from "./lost-node.ts";
export { missingHealth } from "./missing-health.ts";
export { rollUp, type HiddenKind, type RollUp, type RollUpOptions, type RollUpRoot, type Weight } from "./roll-up.ts";
export { issueTitle } from "./issue-title.ts";
export { MAX_GROUPS, MAX_MEMBERS, type IssueGroup, type IssueMember, type Issues, type RootReason } from "./issue-groups.ts";
export { weightOfNotice, type NoticeWeight } from "./notice-weights.ts";
export { type NoticedResource } from "./noticed-resources.ts";
export { factOf } from "./fact.ts";
export { replicasOf, type Replicas } from "./replicas.ts";
export {
  type HealthNotice,
  type Maker,
  type MissingRef,
  type PrecedingChange,
  type Why,
  type WhyContext,
  type WhyLink,
} from "./why/why.ts";
export { whyOf, noticesOf, whyMissing } from "./why/why-of.ts";
export { specChangedAt } from "./why/changes/managed-time.ts";
export { PRECEDING_WINDOW_MS } from "./why/changes/change-window.ts";
export { maskCredentials } from "./mask-credentials.ts";
export { toolSourceFactsOf, toolSyncOf, type ToolSource, type ToolSourceFacts, type ToolState, type ToolSync } from "./tools/tool-sync.ts";
