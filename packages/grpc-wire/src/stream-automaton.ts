import { getOption, type DescMessage } from "@bufbuild/protobuf";
import { first_allowed_field, next_allowed_field } from "@binnacle/proto/automata";
import { Fault } from "@binnacle/rpc";

/** Stands for the end of a stream among field numbers. */
const END = -1;

/** Which message of a stream may follow which, read from the options in the .proto files. */
export interface AutomatonTable {
  /** Full name of the message. */
  readonly typeName: string;
  /** Fields a stream may begin with; -1 is the end. */
  readonly first: ReadonlySet<number>;
  /** Fields that may follow a field; -1 is the end. */
  readonly next: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Reads the table of a stream message. Do it once, at start.
 *
 * @throws Error when the message has no oneof with the options (a mistake in the .proto)
 */
export function automatonOf(message: DescMessage): AutomatonTable {
  for (const oneof of message.oneofs) {
    const first = getOption(oneof, first_allowed_field);
    if (first.length === 0) continue;
    const next = new Map(oneof.fields.map((field) => [field.number, new Set(getOption(field, next_allowed_field))] as const));
    return { typeName: message.typeName, first: new Set(first), next };
  }
  throw new Error(`${message.typeName} has no oneof with first_allowed_field`);
}

/** Fields that no legal stream can reach; empty when the .proto is right. */
export function unreachableFields(table: AutomatonTable): number[] {
  const reached = new Set<number>();
  const visit = (fields: Iterable<number>): void => {
    for (const field of fields) {
      if (reached.has(field)) continue;
      reached.add(field);
      visit(table.next.get(field) ?? []);
    }
  };
  visit(table.first);
  return [...table.next.keys()].filter((field) => !reached.has(field));
}

/** Follows one direction of one stream and refuses what its table does not allow. */
export class StreamAutomaton {
  readonly #table: AutomatonTable;
  #last: number | undefined;

  /** @param startAfter field that was already read elsewhere, for example the descriptor of a tunnel */
  constructor(table: AutomatonTable, startAfter?: number) {
    this.#table = table;
    this.#last = startAfter;
  }

  /** Field of the last message; undefined at the beginning. */
  get last(): number | undefined {
    return this.#last;
  }

  /** @throws Fault `frame_order` when a message with this field may not come now (0: no field is set) */
  check(field: number): void {
    if (!this.#allowed().has(field) || field === END) {
      const after = this.#last === undefined ? "at the beginning" : `after field ${this.#last}`;
      throw new Fault("frame_order", `${this.#table.typeName}: field ${field} is not allowed ${after}`);
    }
    this.#last = field;
  }

  /** @throws Fault `frame_order` when the stream may not end now */
  end(): void {
    if (this.#allowed().has(END)) return;
    const after = this.#last === undefined ? "at the beginning" : `after field ${this.#last}`;
    throw new Fault("frame_order", `${this.#table.typeName}: the stream may not end ${after}`);
  }

  #allowed(): ReadonlySet<number> {
    if (this.#last === undefined) return this.#table.first;
    return this.#table.next.get(this.#last) ?? new Set();
  }
}
