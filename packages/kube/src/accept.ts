/** Plain JSON. */
export const ACCEPT_JSON = "application/json";

/** A list with only the metadata of its items. */
export const ACCEPT_METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** One object, or a watch, with metadata only. */
export const ACCEPT_METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/** Aggregated discovery of `/api` and `/apis`, and plain JSON for servers older than 1.26. */
export const ACCEPT_DISCOVERY =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
