import { parseSync, Visitor, type JSXAttribute, type Node } from "oxc-parser";

/** English that stands in a component itself, and so in no catalogue. */
export interface LiteralWords {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Attributes of elements that people see or hear. */
const SEEN: ReadonlySet<string> = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-roledescription",
  "aria-valuetext",
  "label",
  "placeholder",
  "title",
]);

/** Attributes of components that are no texts, whatever they look like. */
const UNSEEN: ReadonlySet<string> = new Set(["className", "href", "id", "key", "path"]);

/** Of other attributes of components: a choice among words of the code, such as `icon="search"`, has neither. */
const LOOKS_LIKE_TEXT = /[A-Z ]/;

/**
 * What is the same in every language: the product's name, verbs and an annotation of Kubernetes, and the time zone.
 */
const PROPER: ReadonlySet<string> = new Set(["Binnacle", "get, list, watch", "gitops.binnacle/prune-consent", "UTC"]);

/** Literal English in the JSX of a file, in order: between tags, and in attributes that people see or hear, wherever in an expression. */
export function literalWordsOf(path: string, source: string): LiteralWords[] {
  const found: LiteralWords[] = [];
  let isChoice = false;
  const report = (node: Node, text: string): void => {
    if (isChoice && !LOOKS_LIKE_TEXT.test(text)) return;
    const words = text.trim().replaceAll(/\s+/g, " ");
    if (/\p{L}{2}/u.test(words) && !PROPER.has(words)) found.push({ line: source.slice(0, node.start).split("\n").length, text: words });
  };
  /** Texts that an expression can evaluate to, without those in conditions and arguments. */
  const look = (node: Node): void => {
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "string") report(node, node.value);
        break;
      case "TemplateLiteral":
        for (const quasi of node.quasis) report(node, quasi.value.cooked ?? "");
        node.expressions.forEach(look);
        break;
      case "ConditionalExpression":
        look(node.consequent);
        look(node.alternate);
        break;
      case "LogicalExpression":
        if (node.operator !== "&&") look(node.left);
        look(node.right);
        break;
      case "BinaryExpression":
        if (node.operator === "+") [node.left, node.right].forEach(look);
        break;
      case "ParenthesizedExpression":
      case "TSAsExpression":
        look(node.expression);
        break;
      default:
    }
  };
  const ofAttributes = new Set<Node>();
  new Visitor({
    JSXText: (node) => report(node, node.value.replaceAll(/&\w+;/g, " ")),
    JSXOpeningElement(node) {
      const isElement = node.name.type === "JSXIdentifier" && /^[a-z]/.test(node.name.name);
      for (const attribute of node.attributes) {
        if (attribute.type !== "JSXAttribute" || attribute.value === null) continue;
        ofAttributes.add(attribute.value);
        const name = nameOf(attribute);
        if (SEEN.has(name)) look(expressionOf(attribute.value));
        else if (!isElement && !UNSEEN.has(name)) {
          isChoice = true;
          look(expressionOf(attribute.value));
          isChoice = false;
        }
      }
    },
    JSXExpressionContainer(node) {
      if (!ofAttributes.has(node)) look(node.expression);
    },
  }).visit(parseSync(path, source).program);
  return found.toSorted((left, right) => left.line - right.line);
}

function nameOf({ name }: JSXAttribute): string {
  return name.type === "JSXIdentifier" ? name.name : `${name.namespace.name}:${name.name.name}`;
}

function expressionOf(value: NonNullable<JSXAttribute["value"]>): Node {
  return value.type === "JSXExpressionContainer" ? value.expression : value;
}
