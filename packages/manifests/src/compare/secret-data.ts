import { fieldsOf, isFields, type Fields, type KubeObject } from "@binnacle/kube";

/** The Secret of a manifest, its values as the bytes that they stand for (latin1): base64 may be written in more than one way. Not mutated. */
export function withDesiredBytes(desired: KubeObject): KubeObject {
  const { data, stringData } = desired;
  return {
    ...desired,
    ...(isFields(data) && { data: bytesOf(data, "base64") }),
    ...(isFields(stringData) && { stringData: bytesOf(stringData, "utf8") }),
  };
}

/** A Secret of the cluster in the same way: API servers keep `stringData` as `data`, so it stands under both. */
export function withLiveBytes(live: KubeObject): KubeObject {
  const data = isFields(live["data"]) ? bytesOf(live["data"], "base64") : live["data"];
  return { ...live, data, stringData: data };
}

/** The `data` that a manifest sets in either way. */
export function withMergedData(desired: KubeObject): KubeObject {
  return { ...desired, data: { ...fieldsOf(desired["data"]), ...fieldsOf(desired["stringData"]) } };
}

function bytesOf(values: Fields, encoding: "base64" | "utf8"): Fields {
  const bytes = (value: unknown): unknown => (typeof value === "string" ? Buffer.from(value, encoding).toString("latin1") : value);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, bytes(value)]));
}
