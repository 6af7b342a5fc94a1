export {
  ACCEPT_DISCOVERY,
  ACCEPT_JSON,
  ACCEPT_METADATA,
  ACCEPT_METADATA_LIST,
  collectionPath,
  InvalidPathError,
  isAddressable,
  isPathSegmentName,
  listPath,
  objectPath,
  streamPath,
  watchPath,
  type KindPath,
  type ListQuery,
  type StreamQuery,
  type WatchQuery,
} from "./request-path.ts";
export { appliedFieldsOf, fromDigest, toDigest, type AppliedFields } from "./applied-fields.ts";
export {
  groupVersionPath,
  parseAggregatedDiscovery,
  parseGroupVersions,
  parseResourceList,
  parseStaleGroupVersions,
  preferred,
  type GroupVersion,
} from "./discovery.ts";
export { droppedOfSpec, forEachDropped, type DroppedField } from "./dropped-fields.ts";
export { driftOf, type FieldDrift } from "./field-drift.ts";
export { othersNamed, ownershipOf, shownPath, type FieldOwnership, type OtherField, ownedAt, ownsField } from "./field-ownership.ts";
export { fieldPath, itemNames, itemPath, splitFieldPath, type ItemNames } from "./field-path.ts";
export { GITOPS_FIELD_MANAGER, KEPT_FIELDS, PAUSED, PAUSED_REASON, PRUNE_CONSENT, SYNC_REQUESTED, TAKE_OVER } from "./gitops-names.ts";
export { formatInventoryId, INVENTORY_LABEL, OWNING_INVENTORY, parseInventoryId } from "./inventory-id.ts";
export { formatKeptFields, MAX_KEPT_FIELDS, parseKeptFields, type KeptField, withoutFields } from "./kept-fields.ts";
export {
  isKubeObject,
  type Json,
  type KubeObject,
  type ObjectMeta,
  type OwnerReference,
  asObjectOf,
  parseObjectList,
  type ObjectList,
} from "./kube-object.ts";
export { causeOf, createStatus, parseStatus, type KubernetesStatus } from "./kubernetes-status.ts";
export { fieldsAt, fieldsOf, isFields, listAt, listOf, numberAt, textAt, textOf, type Fields } from "./loose-json.ts";
export { maskSecret } from "./mask-secret.ts";
export { encodeKey, keyOf, type ObjectKey } from "./object-key.ts";
export { apiVersionOf, groupOf, namespacedKind, versionOf, type ResourceKind } from "./resource-kind.ts";
export { parseJson } from "./parse-json.ts";
export { parseRulesReview, ruleCovers, type NamespaceRules, type PolicyRule } from "./policy-rules.ts";
export { quantityOf, UNITS } from "./quantity.ts";
export { isCutKind, projectObject, projectFull } from "./project-object.ts";
export { StringPool, type TextSharing } from "./string-pool.ts";
export { nanosText } from "./time-text.ts";
export { LAST_APPLIED, trimObject } from "./trim-object.ts";
export { parseWatchEvent, type WatchBookmark, type WatchChange, type WatchEvent, type WatchFailure } from "./watch-event.ts";
export { WatchLineError, WatchLineSplitter } from "./watch-lines.ts";
