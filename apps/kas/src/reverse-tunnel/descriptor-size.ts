import { Fault } from "@binnacle/rpc";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

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
export function descriptorSizeOf(bytes: Uint8Array, enough: number): { readonly services: number; readonly methods: number } {
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
