export { act, type ActContext } from "./act/act.ts";
export type { ActionAnswer, ActionOutcome } from "./act/action-outcome.ts";
export type { ActionFields, ActionLog, Actor, EndedActionFields } from "./act/action-record.ts";
export { FIELD_MANAGER } from "./act/kube-action.ts";
export type { ActionContent, ActionTarget, JsonPatchOperation, KubeAction, KubeChange } from "./act/kube-action.ts";
export { ByteBudget } from "./limits/byte-budget.ts";
export { Semaphore } from "./limits/semaphore.ts";
export { readText } from "./http/read-body.ts";
export { ClusterView, type ClusterViewOptions } from "./engine/cluster-view.ts";
export { inventoryDrift, type AppliedObject, type DriftedField, type DriftedObject, type InventoryDrift } from "./drift/inventory-drift.ts";
export { openOwnership, type OpenOwnership, type SeenObject, type ViewOwnership } from "./drift/view-ownership.ts";
export { edgesBefore } from "./scope/edge-precedence.ts";
export type { EnvironmentScope } from "./engine/environment-scope.ts";
export { resourceEventOf } from "./events/event-message.ts";
export { foldEvents, type FoldedEvent } from "./events/fold-events.ts";
export { eventsStateOf, readEvents, type EventsChange, type EventsTableState } from "./events/read-events.ts";
export { MAX_EVENTS, type EventsTable } from "./events/scope-events.ts";
export { EnvironmentView, type EnvironmentViewOptions } from "./engine/environment-view.ts";
export type { HealthRules, RuleAnswer } from "./scope/health-rules.ts";
export { fieldDifferences } from "./journal/field-differences.ts";
export { Informers, type InformersOptions } from "./informers/informers.ts";
export type { SharedKeeping } from "./informers/shared-keeping.ts";
export { ViewerClient, type ViewerRights } from "./informers/viewer-client.ts";
export { apiFailureOf } from "./http/api-failure.ts";
export { HttpKubeClient, type JsonRequest } from "./http/http-kube-client.ts";
export { createHttpsTransport, type HttpsTransport, type HttpsTransportOptions } from "./http/https-transport.ts";
export { checkRequest, requestHeaders } from "./http/checked-request.ts";
export {
  isRepeatable,
  type KubeBody,
  type KubeMethod,
  type KubeRequest,
  type KubeResponse,
  type KubeTransport,
} from "./http/kube-transport.ts";
export { createPatientTransport, type PatientTransportOptions } from "./http/patient-transport.ts";
export { Upload, type UploadOptions } from "./http/upload.ts";
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
  type RequestStage,
} from "./base/kube-client.ts";
export type { ChangesRequest, ScopeChanges } from "./journal/scope-journal.ts";
export { timestampOf } from "./base/timestamp-of.ts";
export { isDeployingTool, kindOfTool, shownDeployers, type Deployers, type DeployingTool } from "./scope/deployer.ts";
export { unreadTools, type ToolStanding, type ToolStandings } from "./tools/scope-tools.ts";
export { NO_LIVE_SUMMARIES, type LiveSummaries } from "./summaries/live-summaries.ts";
export { RequestPace } from "./limits/request-pace.ts";
export { SampledSummaries, type SampledSummariesOptions } from "./summaries/sampled-summaries.ts";
export {
  scopeKeyOf,
  type SummariesSeen,
  type Summary,
  type SummaryChange,
  type SummaryFacts,
  type SummaryFreshness,
  type SummaryGap,
  type SummaryRequest,
  type SummarySource,
  type SummarySubscription,
} from "./summaries/summary-source.ts";
export { whereWords } from "./projection/where-words.ts";
export type { RunningImageFacts, RunningImages } from "./summaries/node-counts.ts";
export { ViewSummary } from "./summaries/view-summary.ts";
export {
  changeOf,
  type SettledState,
  type SentFields,
  type ViewConnection,
  type ViewDelta,
  type ViewMessage,
  type ViewPosition,
  type ViewSnapshot,
  type ViewSource,
  type ViewStaleness,
} from "./stream/view-model.ts";
export { planSources, type PlannedSource } from "./sources/source-plan.ts";
export { openEnvironmentTable, type ViewTable } from "./engine/environment-table.ts";
export type { RemoteScope } from "./remote/remote-scope.ts";
export { RemoteState } from "./remote/remote-state.ts";
export { VIEW_ENGINE } from "./engine/view-engine.ts";
export { streamOf } from "./base/stream-of.ts";
export type { ViewLog } from "./base/view-log.ts";
export type { HealthScript, OpenHealthRules, OpenScopeRules, ScopeRules } from "./scope/scope-rules.ts";
export type { ViewScope } from "./scope/view-scope.ts";
export type { ViewSubscription } from "./stream/view-state.ts";
export { WatchBudget, type Attention } from "./limits/watch-budget.ts";
export { Throttle } from "./limits/throttle.ts";
