import { toBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A message that is a field of others: encoded when its bytes are first read, and never again. */
export class EncodedField<D extends DescMessage> {
  readonly message: MessageShape<D>;
  readonly #schema: D;
  readonly #no: number;
  #bytes: Uint8Array | undefined;

  /** @param no number of the field */
  constructor(schema: D, no: number, message: MessageShape<D>) {
    this.#schema = schema;
    this.#no = no;
    this.message = message;
  }

  /**
   * Tag, length and content.
   *
   * @see https://protobuf.dev/programming-guides/encoding/
   */
  get bytes(): Uint8Array {
    const encode = (): Uint8Array =>
      new BinaryWriter().tag(this.#no, WireType.LengthDelimited).bytes(toBinary(this.#schema, this.message)).finish();
    return (this.#bytes ??= encode());
  }

  /** Whether it is the same on the wire. */
  equals(other: EncodedField<D>): boolean {
    return this.message === other.message || Buffer.compare(this.bytes, other.bytes) === 0;
  }
}

/** Fields in a row; joined when their bytes are first read, which readers of messages in this process never do. */
export class JoinedFields {
  #fields: readonly { readonly bytes: Uint8Array }[];
  #joined: Uint8Array | undefined;

  constructor(fields: readonly { readonly bytes: Uint8Array }[]) {
    this.#fields = fields;
  }

  get bytes(): Uint8Array {
    this.#joined ??= Buffer.concat(this.#fields.map(({ bytes }) => bytes));
    this.#fields = [];
    return this.#joined;
  }
}
