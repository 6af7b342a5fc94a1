import { fromBinary, ScalarType, type DescField, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema, type Duration, type Timestamp } from "@bufbuild/protobuf/wkt";

import { isDuration, timeOf } from "./wire-values.ts";

/** Characters of one text, and items of one list: more than any honest message has. */
export const MAX_TEXT = 16_384;
export const MAX_ITEMS = 10_000;

type Fields = Record<string, unknown>;
/** Puts right what stands in one place. @returns `undefined`: it is a gap */
type Check = (value: unknown) => unknown;
type Pass = (message: Fields) => void;

/**
 * A message that another program has written, as it may be shown: times and durations that there are, numbers that are finite, words of the
 * contract alone, texts and lists that are bounded, and nothing that the contract does not name. What cannot be read is absent from it.
 *
 * @returns `undefined` when the bytes are no such message at all
 */
export function readMessage<D extends DescMessage>(schema: D, bytes: Uint8Array): MessageShape<D> | undefined {
  let message: MessageShape<D>;
  try {
    message = fromBinary(schema, bytes, { readUnknownFields: false });
  } catch {
    return undefined;
  }
  return checkMessage(schema, message);
}

/** The same for a message that was decoded already. @returns the message, changed in place */
export function checkMessage<D extends DescMessage>(schema: D, message: MessageShape<D>): MessageShape<D> {
  delete message.$unknown;
  // Messages of protobuf-es are plain objects with a property for each field.
  for (const pass of passesOf(schema)) pass(message);
  return message;
}

const known = new WeakMap<DescMessage, readonly Pass[]>();

function passesOf(schema: DescMessage): readonly Pass[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const passes: Pass[] = [];
  // A message may hold its own kind.
  known.set(schema, passes);
  for (const field of schema.fields) {
    const check = checkOf(field);
    if (check !== undefined)
      passes.push(field.oneof === undefined ? fieldPass(field, check) : oneofPass(field.oneof.localName, field, check));
  }
  return passes;
}

function fieldPass({ localName }: DescField, check: Check): Pass {
  return (message) => {
    const value = message[localName];
    if (value === undefined) return;
    const checked = check(value);
    if (checked === undefined) delete message[localName];
    else if (checked !== value) message[localName] = checked;
  };
}

function oneofPass(name: string, { localName }: DescField, check: Check): Pass {
  return (message) => {
    // A oneof is the case that is set and its value.
    const set = message[name] as { readonly case: string | undefined; readonly value?: unknown };
    if (set.case !== localName) return;
    const value = check(set.value);
    message[name] = value === undefined ? { case: undefined } : { case: localName, value };
  };
}

/** @returns `undefined` for what can hold nothing wrong */
function checkOf(field: DescField): Check | undefined {
  switch (field.fieldKind) {
    case "scalar":
      return scalarCheck(field.scalar, field.oneof !== undefined);
    case "enum":
      return enumCheck(field.enum.values.map(({ number }) => number));
    case "message":
      return messageCheck(field.message);
    case "list": {
      const each =
        field.listKind === "scalar"
          ? scalarCheck(field.scalar, true)
          : field.listKind === "enum"
            ? enumCheck(field.enum.values.map(({ number }) => number))
            : messageCheck(field.message);
      return (value) => checkedList(value as readonly unknown[], each);
    }
    default: {
      const each =
        field.mapKind === "scalar"
          ? scalarCheck(field.scalar, true)
          : field.mapKind === "enum"
            ? enumCheck(field.enum.values.map(({ number }) => number))
            : messageCheck(field.message);
      return (value) => checkedMap(value as Fields, each);
    }
  }
}

function scalarCheck(scalar: ScalarType, mayLack: boolean): Check | undefined {
  switch (scalar) {
    case ScalarType.STRING:
      return (value) => boundedText(value as string);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (value) => (Number.isFinite(value) ? value : mayLack ? undefined : 0);
    default:
      return undefined;
  }
}

/** A newer program may know more words; here they are the one for what is not known. */
function enumCheck(numbers: readonly number[]): Check {
  const words = new Set<unknown>(numbers);
  return (value) => (words.has(value) ? value : (numbers[0] ?? 0));
}

function messageCheck(schema: DescMessage): Check {
  if (schema.typeName === TimestampSchema.typeName) return (value) => (timeOf(value as Timestamp) === undefined ? undefined : value);
  if (schema.typeName === DurationSchema.typeName) return (value) => (isDuration(value as Duration) ? value : undefined);
  return (value) => checkMessage(schema, value as MessageShape<DescMessage>);
}

function checkedList(items: readonly unknown[], each: Check | undefined): readonly unknown[] {
  const bounded = items.length > MAX_ITEMS ? items.slice(0, MAX_ITEMS) : items;
  return each === undefined ? bounded : bounded.map(each).filter((item) => item !== undefined);
}

function checkedMap(map: Fields, each: Check | undefined): Fields {
  const checked: [string, unknown][] = [];
  for (const [key, value] of Object.entries(map).slice(0, MAX_ITEMS)) {
    const item = each === undefined ? value : each(value);
    if (key !== "__proto__" && item !== undefined) checked.push([boundedText(key), item]);
  }
  return Object.fromEntries(checked);
}

/** Without half characters, which no UTF-8 has. */
export function boundedText(text: string, max = MAX_TEXT): string {
  return (text.length > max ? text.slice(0, max) : text).toWellFormed();
}
