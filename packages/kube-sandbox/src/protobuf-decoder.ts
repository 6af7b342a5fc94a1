import { badRequest } from "./api-error.ts";
import { readDataLines } from "./data-files.ts";
import { isTree, listIn, textIn, type Tree } from "./json-tree.ts";

interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
}

type Messages = ReadonlyMap<string, ReadonlyMap<number, Field>>;

const META = "k8s.io.apimachinery.pkg.apis.meta.v1.";
const EXTENSIONS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.";
const MAGIC = "k8s\0";

let messages: Messages | undefined;

function loadMessages(): Messages {
  const lines = readDataLines("protobuf.jsonl").map((line) => {
    const fields = listIn(line, "fields").map((field): [number, Field] => {
      const [number, name, type, mode] = Array.isArray(field) ? field : [];
      return [Number(number), { name: String(name), type: String(type), mode: String(mode) }];
    });
    return [textIn(line, "message") ?? "", new Map(fields)] as const;
  });
  return new Map(lines);
}

/**
 * The JSON form of a body in `application/vnd.kubernetes.protobuf`, which kubectl uses for what it makes itself.
 *
 * @throws ApiError 400 when the bytes are not that, or of a kind that is not served
 */
export function decodeProtobuf(body: Buffer): Tree {
  if (body.subarray(0, 4).toString("latin1") !== MAGIC) throw badRequest("the body is not in the Kubernetes protobuf format");
  messages ??= loadMessages();
  const envelope = readFields(body.subarray(4));
  const types = readFields(bytesOf(envelope.get(1)?.[0]));
  const apiVersion = bytesOf(types.get(1)?.[0]).toString("utf8");
  const kind = bytesOf(types.get(2)?.[0]).toString("utf8");
  const type = messageOf(apiVersion, kind);
  if (!messages.has(type)) throw badRequest(`the kind ${kind} of ${apiVersion} cannot be read as protobuf here; send JSON`);
  const value = decodeMessage(messages, type, bytesOf(envelope.get(2)?.[0]));
  return { apiVersion, kind, ...(isTree(value) ? value : {}) };
}

function messageOf(apiVersion: string, kind: string): string {
  if (kind.endsWith("Options")) return `${META}${kind}`;
  if (apiVersion === "v1") return `k8s.io.api.core.v1.${kind}`;
  const [group = "", version = ""] = apiVersion.split("/");
  return group === "apiextensions.k8s.io" ? `${EXTENSIONS}${kind}` : `k8s.io.api.${group.split(".")[0]}.${version}.${kind}`;
}

type Wire = Buffer | bigint;

function bytesOf(value: Wire | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function readFields(bytes: Buffer): Map<number, Wire[]> {
  const fields = new Map<number, Wire[]>();
  let at = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    throw badRequest("the protobuf body is cut off");
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw badRequest("the protobuf body is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value = wire === 0 ? varint() : wire === 1 ? take(8) : wire === 2 ? take(Number(varint())) : wire === 5 ? take(4) : undefined;
    if (value === undefined) throw badRequest("the protobuf body has an unknown wire type");
    fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), value]);
  }
  return fields;
}

function decodeMessage(known: Messages, type: string, bytes: Buffer): unknown {
  const special = SPECIAL[type];
  if (special) return special(bytes, known);
  const fields = known.get(type);
  if (!fields) throw badRequest(`the protobuf message ${type} is not known here`);
  if (type.endsWith(".ExtraValue")) return (readFields(bytes).get(1) ?? []).map((item) => bytesOf(item).toString("utf8"));
  const result: Tree = {};
  for (const [number, values] of readFields(bytes)) {
    const field = fields.get(number);
    if (field) place(known, { field, values, result });
  }
  return result;
}

function place(
  known: Messages,
  { field, values, result }: { readonly field: Field; readonly values: readonly Wire[]; readonly result: Tree },
): void {
  const last = values.at(-1);
  if (field.mode === "list") result[field.name] = values.map((value) => decodeValue(known, field.type, value));
  else if (field.mode === "map") {
    const entries = values.map((value) => {
      const entry = readFields(bytesOf(value));
      return [bytesOf(entry.get(1)?.[0]).toString("utf8"), decodeValue(known, field.type, entry.get(2)?.[0] ?? Buffer.alloc(0))] as const;
    });
    result[field.name] = Object.fromEntries(entries);
  } else if (last !== undefined) {
    const value = decodeValue(known, field.type, last);
    if (field.mode === "inline") Object.assign(result, value);
    // What is not a pointer is always written; its zero value means "not set".
    else if (field.mode === "pointer" || !(value === "" || value === 0 || value === false || value === null)) result[field.name] = value;
  }
}

function decodeValue(known: Messages, type: string, value: Wire): unknown {
  switch (type) {
    case "string":
      return bytesOf(value).toString("utf8");
    case "bytes":
      return bytesOf(value).toString("base64");
    case "bool":
      return value === 1n;
    case "double":
      return bytesOf(value).readDoubleLE();
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
      return typeof value === "bigint" ? Number(BigInt.asIntN(64, value)) : 0;
    default:
      return decodeMessage(known, type, bytesOf(value));
  }
}

function timeText(bytes: Buffer): string | null {
  const fields = readFields(bytes);
  const seconds = fields.get(1)?.[0];
  if (typeof seconds !== "bigint") return null;
  return new Date(Number(BigInt.asIntN(64, seconds)) * 1_000).toISOString().replace(".000Z", "Z");
}

function rawJson(bytes: Buffer): unknown {
  const raw = bytesOf(readFields(bytes).get(1)?.[0]).toString("utf8");
  return raw === "" ? null : JSON.parse(raw);
}

/** The schema at a field of a message that holds a schema or something simpler; null when it is the simpler one. */
function schemaAt(bytes: Buffer, known: Messages, number: number): unknown {
  const schema = readFields(bytes).get(number)?.[0];
  return Buffer.isBuffer(schema) ? decodeMessage(known, `${EXTENSIONS}JSONSchemaProps`, schema) : null;
}

const SPECIAL: Readonly<Record<string, (bytes: Buffer, known: Messages) => unknown>> = {
  [`${META}Time`]: timeText,
  [`${META}MicroTime`]: timeText,
  [`${META}FieldsV1`]: rawJson,
  [`${EXTENSIONS}JSON`]: rawJson,
  "k8s.io.apimachinery.pkg.runtime.RawExtension": rawJson,
  "k8s.io.apimachinery.pkg.api.resource.Quantity": (bytes) => bytesOf(readFields(bytes).get(1)?.[0]).toString("utf8"),
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": (bytes) => {
    const fields = readFields(bytes);
    const number = fields.get(2)?.[0];
    return fields.get(1)?.[0] === 1n
      ? bytesOf(fields.get(3)?.[0]).toString("utf8")
      : typeof number === "bigint"
        ? Number(BigInt.asIntN(64, number))
        : 0;
  },
  [`${EXTENSIONS}JSONSchemaPropsOrArray`]: (bytes, known) => schemaAt(bytes, known, 1),
  [`${EXTENSIONS}JSONSchemaPropsOrBool`]: (bytes, known) => schemaAt(bytes, known, 2) ?? readFields(bytes).get(1)?.[0] === 1n,
};
