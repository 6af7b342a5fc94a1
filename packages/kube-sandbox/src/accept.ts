import { ApiError } from "./api-error.ts";

/** How a client wants an answer about objects. */
export type Representation = "object" | "Table" | "PartialObjectMetadata";

interface MediaType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

function mediaTypes(accept: string): MediaType[] {
  return accept
    .split(",")
    .filter((one) => one.trim() !== "")
    .map((one) => {
      const [type = "", ...parameters] = one.split(";").map((part) => part.trim());
      const pairs = parameters.map((parameter) => parameter.split("="));
      return { type: type.toLowerCase(), parameters: Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value])) };
    });
}

const JSON_TYPES = new Set(["application/json", "application/*", "*/*"]);

/**
 * The first representation of `Accept` this server can give.
 *
 * @throws ApiError 406 when there is none (protobuf, CBOR or YAML only)
 */
export function chooseRepresentation(accept: string | undefined): Representation {
  const types = mediaTypes(accept ?? "");
  if (types.length === 0) return "object";
  for (const { type, parameters } of types) {
    if (!JSON_TYPES.has(type)) continue;
    const as = parameters["as"];
    if (as === undefined) return "object";
    if (parameters["g"] !== "meta.k8s.io" || (parameters["v"] !== "v1" && parameters["v"] !== "v1beta1")) continue;
    if (as === "Table") return "Table";
    if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return "PartialObjectMetadata";
  }
  const only = "only the following media types are accepted: application/json";
  throw new ApiError(406, "NotAcceptable", only, {});
}

/** True when the client takes aggregated discovery (APIGroupDiscoveryList v2). */
export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  const first = mediaTypes(accept ?? "").find(
    ({ type, parameters }) =>
      JSON_TYPES.has(type) &&
      (parameters["as"] === undefined || (parameters["as"] === "APIGroupDiscoveryList" && parameters["v"] === "v2")),
  );
  return first?.parameters["as"] === "APIGroupDiscoveryList";
}
