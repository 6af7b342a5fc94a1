export { ByteBudget } from "./byte-budget.ts";
export { EnvironmentView, type EnvironmentViewOptions, type ViewLog } from "./environment-view.ts";
export type { HealthRules, RuleAnswer } from "./health-rules.ts";
export { apiFailureOf } from "./http/api-failure.ts";
export { HttpKubeClient, type JsonRequest } from "./http/http-kube-client.ts";
export { createHttpsTransport, type HttpsTransport, type HttpsTransportOptions } from "./http/https-transport.ts";
export type { KubeRequest, KubeResponse, KubeTransport } from "./http/kube-transport.ts";
export {
  apiCodeOf,
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type KubeFailure,
  type ObjectRequest,
} from "./kube-client.ts";
export type {
  SourceStateName,
  ViewCause,
  ViewChange,
  ViewConnection,
  ViewDelta,
  ViewEdge,
  ViewEnvironmentHealth,
  ViewHealth,
  ViewHealthStatus,
  ViewManagedBy,
  ViewMessage,
  ViewNode,
  ViewNotice,
  ViewRef,
  ViewSnapshot,
  ViewSource,
  ViewWhy,
  ViewWhyLink,
} from "./view-model.ts";
export type { ViewScope } from "./view-scope.ts";
export type { ViewSubscription } from "./view-state.ts";
