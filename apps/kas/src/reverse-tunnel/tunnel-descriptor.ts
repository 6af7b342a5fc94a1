import { hash } from "node:crypto";

import { DescriptorSchema } from "@binnacle/proto/reverse-tunnel";
import type { AgentDescriptor } from "@binnacle/proto/reverse-tunnel-info";
import { Fault } from "@binnacle/rpc";
import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

const MAX_SERVICES = 256;
const MAX_METHODS = 64;
const MAX_NAME = 256;

/** Methods that an agent offers: full names, "/service/Method". */
type Capabilities = ReadonlySet<string>;

/** Capabilities that are in use; give them back with `release`. */
export interface HeldCapabilities {
  readonly methods: Capabilities;
  /** To be called once for each time they were acquired. */
  release(): void;
}

/** One for all tunnels with this descriptor: an idle tunnel has no object of its own for it. */
class Entry implements HeldCapabilities {
  /** Digest of the bytes. */
  readonly key: string;
  readonly bytes: Buffer;
  readonly methods: Capabilities;
  uses = 0;

  constructor(key: string, bytes: Buffer, methods: Capabilities) {
    this.key = key;
    this.bytes = bytes;
    this.methods = methods;
  }

  release(): void {
    this.uses -= 1;
    if (this.uses > 0) return;
    interned.delete(this.key);
    if (latest === this) latest = undefined;
  }
}

const interned = new Map<string, Entry>();
/** The next tunnel is mostly of the same kind of agent: then its bytes are compared and not digested. */
let latest: Entry | undefined;

/** Different descriptors in use; 0 when no tunnel is open. */
export function internedDescriptors(): number {
  return interned.size;
}

/**
 * Methods of a descriptor. Equal bytes give the same object, so that thousands of tunnels share a few sets and only the first of them is
 * decoded; the last one that gives it back lets it go.
 *
 * @param bytes a `Descriptor` message
 * @throws Fault `invalid_request` beyond 256 services, 64 methods of one service, or 256 characters of a name
 */
export function acquireCapabilities(bytes: Uint8Array): HeldCapabilities {
  const entry = latest?.bytes.equals(bytes) === true ? latest : entryOf(bytes);
  entry.uses += 1;
  latest = entry;
  return entry;
}

function entryOf(bytes: Uint8Array): Entry {
  const key = hash("sha256", bytes, "base64");
  const known = interned.get(key);
  if (known) return known;
  const entry = new Entry(key, Buffer.from(bytes), methodsOf(decode(bytes)));
  interned.set(key, entry);
  return entry;
}

function decode(bytes: Uint8Array): AgentDescriptor {
  // Counted before anything is decoded: two bytes on the wire can become an object.
  const { services, methods } = descriptorSizeOf(bytes, MAX_SERVICES * MAX_METHODS);
  if (services > MAX_SERVICES) throw new Fault("invalid_request", `a descriptor may have ${MAX_SERVICES} services, not ${services}`);
  if (methods > MAX_SERVICES * MAX_METHODS) throw new Fault("invalid_request", `a descriptor has more methods than it may: ${methods}`);
  let descriptor;
  try {
    descriptor = fromBinary(DescriptorSchema, bytes).agentDescriptor;
  } catch (error) {
    throw new Fault("frame_order", "a descriptor cannot be read", { cause: error });
  }
  if (descriptor === undefined) throw new Fault("frame_order", "a ConnectRequest lacks the content of its descriptor");
  return descriptor;
}

function methodsOf(descriptor: AgentDescriptor): Capabilities {
  const methods = new Set<string>();
  for (const service of descriptor.services) {
    if (service.methods.length > MAX_METHODS)
      throw new Fault("invalid_request", `a service may have ${MAX_METHODS} methods, not ${service.methods.length}`);
    for (const method of service.methods) methods.add(`/${named(service.name)}/${named(method.name)}`);
  }
  return methods;
}

function named(name: string): string {
  if (name.length > MAX_NAME)
    throw new Fault("invalid_request", `a name in a descriptor may have ${MAX_NAME} characters, not ${name.length}`);
  return name;
}

/** Field numbers: `Descriptor.agent_descriptor`, `AgentDescriptor.services`, `Service.methods`. */
const AGENT_DESCRIPTOR = 1;
const SERVICES = 1;
const METHODS = 2;

/**
 * Counts the services and methods of a `Descriptor` message without making an object of any.
 *
 * @param enough stops counting methods above this
 * @throws Fault `frame_order` for bytes that are no protobuf
 */
function descriptorSizeOf(bytes: Uint8Array, enough: number): { readonly services: number; readonly methods: number } {
  let services = 0;
  let methods = 0;
  try {
    for (const descriptor of fieldsOf(bytes, AGENT_DESCRIPTOR)) {
      for (const service of fieldsOf(descriptor, SERVICES)) {
        services += 1;
        for (const _method of fieldsOf(service, METHODS)) {
          methods += 1;
          if (methods > enough) return { services, methods };
        }
      }
    }
  } catch (error) {
    throw new Fault("frame_order", "a descriptor cannot be read", { cause: error });
  }
  return { services, methods };
}

/** The contents of a length-delimited field, each time it occurs. */
function* fieldsOf(message: Uint8Array, field: number): Generator<Uint8Array> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === field && wireType === WireType.LengthDelimited) yield reader.bytes();
    else reader.skip(wireType, number);
  }
}
