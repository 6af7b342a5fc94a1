import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";

import { create } from "@bufbuild/protobuf";
import { ValuesSchema, type Values } from "@binnacle/proto/prototool";

/** gRPC metadata: lower-case keys, all values in order. Binary values (`-bin` keys) stay base64 text. */
export type Metadata = ReadonlyMap<string, readonly string[]>;

/** No metadata at all. */
export const NO_METADATA: Metadata = new Map();

/** Headers that belong to the transport or to gRPC itself and are never metadata. */
const TRANSPORT = new Set([
  "te",
  "content-type",
  "grpc-encoding",
  "grpc-accept-encoding",
  "grpc-status",
  "grpc-message",
  "grpc-status-details-bin",
  "connection",
  "content-length",
  "date",
]);

/** Metadata of received headers; a repeated header that Node joined stays one value. Pseudo headers and gRPC's own are left out. */
export function metadataOfHeaders(headers: IncomingHttpHeaders): Map<string, readonly string[]> {
  const metadata = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(headers)) {
    if (value === undefined || key.startsWith(":") || TRANSPORT.has(key)) continue;
    metadata.set(key, typeof value === "string" ? [value] : value);
  }
  return metadata;
}

/** The same from Node's flat list of names and values, where repeated headers are still apart. */
export function metadataOfRawHeaders(raw: readonly string[]): Map<string, readonly string[]> {
  const metadata = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const key = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    if (key.startsWith(":") || TRANSPORT.has(key)) continue;
    const known = metadata.get(key);
    if (known) known.push(value);
    else metadata.set(key, [value]);
  }
  return metadata;
}

/** Metadata as headers to send. */
export function headersOfMetadata(metadata: Metadata): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [key, values] of metadata) {
    if (key.startsWith(":") || TRANSPORT.has(key)) continue;
    const only = values[0];
    if (only !== undefined) headers[key] = values.length === 1 ? only : [...values];
  }
  return headers;
}

/** The same as names and values in turn: Node sends those without an object of its own for each message. */
export function linesOfMetadata(metadata: Metadata): string[] {
  const lines: string[] = [];
  for (const [key, values] of metadata) {
    if (key.startsWith(":") || TRANSPORT.has(key)) continue;
    for (const value of values) lines.push(key, value);
  }
  return lines;
}

/** Metadata as the protobuf map the tunnel carries. */
export function valuesOfMetadata(metadata: Metadata): Record<string, Values> {
  const map: Record<string, Values> = {};
  for (const [key, values] of metadata) map[key] = create(ValuesSchema, { value: [...values] });
  return map;
}

/** Metadata out of the protobuf map the tunnel carries; keys become lower-case. */
export function metadataOfValues(map: Readonly<Record<string, Values>>): Map<string, readonly string[]> {
  const metadata = new Map<string, readonly string[]>();
  for (const [key, values] of Object.entries(map))
    metadata.set(key.toLowerCase(), [...(metadata.get(key.toLowerCase()) ?? []), ...values.value]);
  return metadata;
}
