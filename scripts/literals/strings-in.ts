import type { Node } from "oxc-parser";

/**
 * The texts that an expression may be: a literal, a template (with `*` for each expression in it), either side of a choice. Nothing for what
 * only a running program knows.
 */
export function choicesIn(node: Node): string[] {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "TemplateLiteral":
      return [node.quasis.map((quasi) => quasi.value.cooked ?? "").join("*")];
    case "ConditionalExpression":
      return [...choicesIn(node.consequent), ...choicesIn(node.alternate)];
    case "LogicalExpression":
      return [...choicesIn(node.left), ...choicesIn(node.right)];
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return choicesIn(node.expression);
    default:
      return [];
  }
}

/** `choicesIn`, and those of the members of lists, the keys and values of objects, and what `new Set(…)` or `Object.freeze(…)` is given. */
export function stringsIn(node: Node | undefined | null): string[] {
  if (node === undefined || node === null) return [];
  switch (node.type) {
    case "ArrayExpression":
      return node.elements.flatMap(stringsIn);
    case "ObjectExpression":
      return node.properties.flatMap((each) => {
        if (each.type === "SpreadElement") return stringsIn(each.argument);
        const key = each.key.type === "Identifier" && !each.computed ? [each.key.name] : stringsIn(each.key);
        return [...key, ...stringsIn(each.value)];
      });
    case "SpreadElement":
      return stringsIn(node.argument);
    case "NewExpression":
    case "CallExpression":
      return node.arguments.flatMap(stringsIn);
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return stringsIn(node.expression);
    default:
      return choicesIn(node);
  }
}

/** The last name of an expression: `headers` of `this.#request.headers`, `get` of `query.get`; empty when it has none. */
export function trailingNameOf(node: Node): string {
  switch (node.type) {
    case "Identifier":
    case "PrivateIdentifier":
      return node.name;
    case "MemberExpression":
      return trailingNameOf(node.property);
    case "ChainExpression":
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
      return trailingNameOf(node.expression);
    case "CallExpression":
      return trailingNameOf(node.callee);
    default:
      return "";
  }
}
