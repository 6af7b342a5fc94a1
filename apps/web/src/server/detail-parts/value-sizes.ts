import { fieldsAt, type KubeObject } from "@binnacle/kube";

/** Bytes of each value of an object with data, by its key; nothing of the values. What is base64 counts as what it stands for. */
export function valueSizes(object: KubeObject, { isSecret }: { readonly isSecret: boolean }): ReadonlyMap<string, number> {
  const plain = isSecret ? [] : Object.entries(fieldsAt(object, "data")).map(([key, value]) => [key, textSize(value)] as const);
  const encoded = Object.entries(fieldsAt(object, isSecret ? "data" : "binaryData"));
  return new Map([...plain, ...encoded.map(([key, value]) => [key, base64Size(value)] as const)]);
}

function textSize(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0;
}

function base64Size(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value, "base64") : 0;
}
