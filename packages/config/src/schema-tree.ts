import { z } from "zod";

import { duration } from "./duration.ts";

/** A value of a schema, without what is wrapped around it. */
export interface SchemaNode {
  /** What the file holds: the input side of transforms. */
  readonly schema: z.core.$ZodType;
  readonly description: string | undefined;
  /** The default as one writes it in the file; `undefined`: none. */
  readonly fallback: unknown;
  /** False: the key must be there. */
  readonly optional: boolean;
  /** Text like "20s". */
  readonly isDuration: boolean;
}

/** Takes optional, default, transform and the like off a schema and keeps what they state. */
export function unwrapSchema(schema: z.core.$ZodType): SchemaNode {
  let current = schema;
  let description: string | undefined;
  let fallback: unknown;
  let optional = false;
  let isDuration = false;
  for (;;) {
    isDuration ||= current === duration;
    description ??= z.globalRegistry.get(current)?.description;
    if (current instanceof z.ZodOptional || current instanceof z.ZodNullable) optional = true;
    else if (current instanceof z.ZodDefault || current instanceof z.ZodPrefault) {
      fallback ??= current.def.defaultValue;
      optional = true;
    }
    if (current instanceof z.ZodPipe) current = current.def.in;
    else if (
      current instanceof z.ZodOptional ||
      current instanceof z.ZodNullable ||
      current instanceof z.ZodDefault ||
      current instanceof z.ZodPrefault ||
      current instanceof z.ZodReadonly
    ) {
      current = current.def.innerType;
    } else return { schema: current, description, fallback, optional, isDuration };
  }
}

/** Keys of an object schema, in the order they were written. */
export function shapeOf(schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  return schema.shape;
}
