import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** What no honest program says. */
export interface Lie {
  /** In which field, and what stands there. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Messages in messages that are looked into. */
const MAX_DEPTH = 4;
const LONG = "x".repeat(1_000_000);
/** More than is shown, in places of which there are many. */
const LONGISH = "x".repeat(40_000);
const [INT64_MAX, UINT64_MAX] = [2n ** 63n - 1n, 2n ** 64n - 1n];
const GARBAGE = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x7f, 0x00, 0x13, 0x37]);

/**
 * An honest message with one field at an extreme, for every field of it and of the messages in it: the largest and smallest numbers, none at
 * all, texts that are empty, long or no UTF-8, words of no contract, lists without an end, another type, and bytes that are no message.
 *
 * @param honest is encoded; of a field that occurs twice the last one counts
 */
export function liesOf(schema: DescMessage, honest: Uint8Array): Lie[] {
  const whole = [
    { name: "empty", bytes: new Uint8Array() },
    { name: "garbage", bytes: GARBAGE },
    { name: "half of it", bytes: honest.subarray(0, Math.ceil(honest.length / 2)) },
    {
      name: "unknown fields",
      bytes: joined(honest, new BinaryWriter().tag(99_999, WireType.LengthDelimited).string("__proto__").finish()),
    },
  ];
  return [...whole, ...[...liesIn(schema, [])].map(({ name, bytes }) => ({ name, bytes: joined(honest, bytes) }))];
}

/** What no field of an honest object in JSON holds, whatever it is for. */
export const JSON_LIES: readonly unknown[] = [
  null,
  "",
  LONGISH,
  "\ud800",
  "__proto__",
  -1,
  0.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  true,
  [null],
  { id: 7, facts: [] },
];

function* liesIn(schema: DescMessage, path: readonly DescField[]): Generator<Lie> {
  for (const field of schema.fields) {
    const name = [...path, field].map(({ name: each }) => each).join(".");
    for (const [what, value] of extremesOf(field, path.length === 0 ? LONG : LONGISH))
      yield { name: `${name}: ${what}`, bytes: within(path, value.finish()) };
    const inner = field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message") ? field.message : undefined;
    const isKnown = inner === undefined || path.some(({ parent }) => parent === inner) || schema === inner;
    if (!isKnown && path.length < MAX_DEPTH) yield* liesIn(inner, [...path, field]);
  }
}

function extremesOf(field: DescField, long: string): [string, BinaryWriter][] {
  const write = (type: WireType): BinaryWriter => new BinaryWriter().tag(field.number, type);
  const number = (value: bigint): BinaryWriter => write(WireType.Varint).uint64(value);
  const text = (value: string): BinaryWriter => write(WireType.LengthDelimited).string(value);
  const raw = (value: Uint8Array): BinaryWriter => write(WireType.LengthDelimited).bytes(value);
  const scalar = "scalar" in field ? field.scalar : undefined;
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) {
    const many = new BinaryWriter();
    if (field.fieldKind === "list")
      for (let index = 0; index < 20_000; index += 1) many.tag(field.number, WireType.LengthDelimited).string("a");
    return [
      ["empty", text("")],
      ["long", text(long)],
      ["half a character", raw(new Uint8Array([0xed, 0xa0, 0x80]))],
      ["prototype", text("__proto__")],
      ["a number", number(7n)],
      ...(field.fieldKind === "list" ? [["many", many] as [string, BinaryWriter]] : []),
    ];
  }
  if (scalar === ScalarType.DOUBLE)
    return [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1].map((value) => [String(value), write(WireType.Bit64).double(value)]);
  if (scalar === ScalarType.FIXED32) return [["most", write(WireType.Bit32).fixed32(2 ** 32 - 1)]];
  if (scalar !== undefined || ("enum" in field && field.enum !== undefined))
    return [
      ["most of 64 bits", number(INT64_MAX)],
      ["-1", number(UINT64_MAX)],
      ["999", number(999n)],
      ["a text", text("x")],
    ];
  return [
    ["empty", raw(new Uint8Array())],
    ["garbage", raw(GARBAGE)],
    ["a number", number(7n)],
  ];
}

function within(path: readonly DescField[], bytes: Uint8Array): Uint8Array {
  return path.reduceRight((inner, { number }) => new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(inner).finish(), bytes);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Buffer.concat([one, other]);
}
