export { EnvironmentView, type EnvironmentViewOptions, type ViewLog } from "./environment-view.ts";
export {
  apiCodeOf,
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindWatchRequest,
  type KubeClient,
  type KubeFailure,
  type ObjectRequest,
} from "./kube-client.ts";
export type {
  SourceStateName,
  ViewCause,
  ViewConnection,
  ViewDelta,
  ViewEdge,
  ViewEnvironmentHealth,
  ViewHealth,
  ViewHealthStatus,
  ViewMessage,
  ViewNode,
  ViewRef,
  ViewSnapshot,
  ViewSource,
} from "./view-model.ts";
export type { ViewSubscription } from "./view-state.ts";
