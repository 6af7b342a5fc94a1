import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";

import type { Catalogue, CompiledMessage, MessagePart } from "./catalogue.ts";

/** Compiles every message of a language. @throws an error with the id of a message that cannot be compiled */
export function compileCatalogue<Id extends string>(catalogue: Readonly<Record<Id, string>>): Readonly<Record<Id, CompiledMessage>>;
export function compileCatalogue(catalogue: Catalogue): Readonly<Record<string, CompiledMessage>> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([id, text]) => {
      try {
        return [id, compileMessage(text)];
      } catch (error) {
        throw new Error(`message ${id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }),
  );
}

/** Compiles a text in ICU MessageFormat. @throws where it is no such text, or uses what `Catalogue` excludes */
export function compileMessage(text: string): CompiledMessage {
  return compiled(parse(text, { ignoreTag: true, requiresOtherClause: true }));
}

function compiled(elements: readonly MessageFormatElement[]): CompiledMessage {
  const parts = elements.map(partOf);
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return parts;
}

function partOf(element: MessageFormatElement): MessagePart {
  switch (element.type) {
    case TYPE.literal:
      return element.value;
    case TYPE.argument:
      return [element.value];
    case TYPE.select:
      return [element.value, "select", optionsOf(element.options)];
    case TYPE.plural:
      if (element.pluralType !== "cardinal" || element.offset !== 0) throw new Error("ordinals and offsets are not supported");
      return [element.value, "plural", optionsOf(element.options)];
    case TYPE.pound:
      throw new Error('"#" is not supported, because it groups digits: write the name of the number in braces');
    default:
      throw new Error(`the format of {${element.value}} is not supported: values are texts`);
  }
}

function optionsOf(options: Readonly<Record<string, { readonly value: MessageFormatElement[] }>>): Record<string, CompiledMessage> {
  return Object.fromEntries(Object.entries(options).map(([key, { value }]) => [key, compiled(value)]));
}
