import { parseSync, Visitor, type Node } from "oxc-parser";

import { choicesIn, stringsIn, trailingNameOf } from "./strings-in.ts";

/** A kind of text that other programs, stored data or addresses depend on. */
export type LiteralKind =
  | "address parameter"
  | "annotation or label"
  | "browser storage or channel"
  | "capability"
  | "configuration key"
  | "cookie"
  | "header"
  | "JWT claim"
  | "log field"
  | "media type or path"
  | "metric"
  | "metric label"
  | "name of a part"
  | "proto"
  | "reason"
  | "redis key";

/** A text that a source declares, and what it is; `*` stands for what is only known when the program runs. */
export interface Literal {
  readonly kind: LiteralKind;
  readonly text: string;
}

/** What a text is by its shape alone, wherever it stands. */
const SHAPES: readonly (readonly [LiteralKind, RegExp])[] = [
  ["annotation or label", /^(?:[a-z0-9-]+\.)+[a-z]+\/(?!v\d)[\w*][\w.*-]*$/],
  ["cookie", /^\*?_(?:gitlab|binnacle)_[a-z]+(?==|$)/],
  ["header", /^(?:x-|agentk-|kas-|gitlab-)[a-z0-9-]+$/],
  ["media type or path", /^(?:application\/vnd\.binnacle\.|\/binnacle\/v1\/)/],
  ["name of a part", /^binnacle-[a-z0-9*-]+$/],
  ["metric", /^(?:kas|web|agentk)_[a-z0-9_]+$/],
  ["redis key", /:binnacle:1:/],
];

/** Constants whose texts are of a kind, by their names. */
const CONSTANTS: readonly (readonly [LiteralKind, RegExp])[] = [
  ["capability", /(?:^|_)(?:ABILITY_NAMES|CAPABILITIES)$/],
  ["header", /(?:^|_)(?:HEADERS?|TRAILERS?)(?:_|$)|^HOP_\w+_KEY$/],
  ["JWT claim", /(?:^|_)(?:AUDIENCE|ISSUERS?)$/],
];

/** First arguments of calls that are of a kind, by the last name of what is called on, and by the method. */
const CALLS: readonly (readonly [LiteralKind, RegExp, RegExp])[] = [
  ["header", /headers?$|metadata$|trailers?$|^(?:request|response)$/i, /^(?:append|delete|getHeader|removeHeader|setHeader)$/],
  ["header", /headers?$|metadata$|trailers?$/i, /^(?:get|has|set)$/],
  ["address parameter", /query$|params$/i, /^(?:append|delete|get|getAll|has|set)$/],
  ["browser storage or channel", /^(?:local|session)Storage$|^storage$/, /^(?:getItem|removeItem|setItem)$/],
  ["JWT claim", /./, /^(?:setAudience|setIssuer|setSubject)$/],
];

/** Properties whose texts are of a kind. */
const PROPERTIES: Readonly<Record<string, LiteralKind>> = {
  aud: "JWT claim",
  audience: "JWT claim",
  iss: "JWT claim",
  issuer: "JWT claim",
  labelNames: "metric label",
  reason: "reason",
};

const LOG_METHODS = new Set(["child", "debug", "error", "fatal", "info", "trace", "warn"]);
/** Storage and channels, in what runs in the browser. */
const OF_BROWSER = /^binnacle[ ._]/;
const BROWSER = /^(?:apps\/web\/src\/(?!server\/)|packages\/presentation\/src\/)/;
/** A reason is one word for machines; sentences are messages. */
const REASON = /^[A-Za-z]+(?:_[a-z]+)*$/;
/** Functions of packages/health that take a reason first. */
const JUDGEMENTS = new Set(["degraded", "healthy", "missingHealth", "progressing", "suspended", "unknown"]);

/**
 * The texts of one source that no rename may change, by where they are declared: known shapes, constants with telling names, arguments of
 * calls, keys of log records. May hold a text twice.
 *
 * @param path decides between TypeScript and TSX
 */
export function typescriptLiterals(path: string, source: string): Literal[] {
  const found: Literal[] = [];
  const add = (kind: LiteralKind, texts: readonly string[]): void => {
    for (const text of texts) if (text !== "" && text !== "*") found.push({ kind, text });
  };
  const addShape = (text: string): void => {
    if (OF_BROWSER.test(text) && BROWSER.test(path)) add("browser storage or channel", [text]);
    for (const [kind, shape] of SHAPES) if (shape.test(text)) add(kind, [text]);
  };
  const specifiers = new Set<Node>();
  new Visitor({
    ImportDeclaration: (node) => void specifiers.add(node.source),
    ExportNamedDeclaration: (node) => void (node.source !== null && specifiers.add(node.source)),
    ImportExpression: (node) => void specifiers.add(node.source),
    TSImportType: (node) => void specifiers.add(node.source),
    Literal(node) {
      if (typeof node.value === "string" && !specifiers.has(node)) addShape(node.value);
    },
    TemplateLiteral: (node) => stringsIn(node).forEach(addShape),
    VariableDeclarator(node) {
      if (node.id.type !== "Identifier" || node.init === null) return;
      const name = node.id.name;
      for (const [kind, names] of CONSTANTS) {
        if (names.test(name))
          add(kind, kind === "capability" ? stringsIn(node.init).flatMap((text) => text.split(",")) : stringsIn(node.init));
      }
      if (name === "FAULTS") add("reason", keysOf(node.init));
      if (/headers$/i.test(name)) add("header", keysOf(node.init));
    },
    Property(node) {
      const name = node.key.type === "Identifier" ? node.key.name : "";
      const kind = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
      if (kind === "metric label") add(kind, stringsIn(node.value));
      else if (kind !== undefined)
        add(kind, kind === "reason" ? choicesIn(node.value).filter((text) => REASON.test(text)) : choicesIn(node.value));
      if (/headers$/i.test(name)) add("header", keysOf(node.value));
    },
    ObjectExpression(node) {
      const names = node.properties.map((each) => (each.type === "Property" && each.key.type === "Identifier" ? each.key.name : ""));
      if (!names.includes("audience")) return;
      for (const each of node.properties)
        if (each.type === "Property" && names[node.properties.indexOf(each)] === "type") add("JWT claim", stringsIn(each.value));
    },
    MemberExpression(node) {
      if (node.computed && /headers$|metadata$/i.test(trailingNameOf(node.object))) add("header", choicesIn(node.property));
    },
    NewExpression(node) {
      const [first] = node.arguments;
      const name = trailingNameOf(node.callee);
      if (first === undefined) return;
      if (name === "Fault") add("reason", choicesIn(first));
      if (name === "Preference" || name === "BroadcastChannel") add("browser storage or channel", choicesIn(first));
      if (name === "ViewerList") add("browser storage or channel", stringsIn(valueOf(first, "name")));
    },
    CallExpression(node) {
      const [first, , third] = node.arguments;
      if (first === undefined) return;
      const name = trailingNameOf(node.callee);
      if (node.callee.type === "MemberExpression") {
        const receiver = trailingNameOf(node.callee.object);
        for (const [kind, receivers, methods] of CALLS) if (receivers.test(receiver) && methods.test(name)) add(kind, choicesIn(first));
        if (/^log(?:ger)?$/i.test(receiver) && LOG_METHODS.has(name)) add("log field", keysOf(first));
      }
      if (/^put$/.test(name) && /\/address\//.test(path)) add("address parameter", stringsIn(first));
      if (/^(?:gauge|counter|histogram)$/.test(name) && third?.type === "Literal") add("metric label", stringsIn(third));
      if (JUDGEMENTS.has(name) && path.startsWith("packages/health/"))
        add(
          "reason",
          stringsIn(first).filter((text) => REASON.test(text)),
        );
    },
  }).visit(parseSync(path, source).program);
  return found;
}

/** Names of the keys of an object, those of objects that it spreads as well. */
function keysOf(node: Node): string[] {
  switch (node.type) {
    case "ObjectExpression":
      return node.properties.flatMap((each) => {
        if (each.type === "SpreadElement") return keysOf(each.argument);
        if (each.key.type === "Identifier" && !each.computed) return [each.key.name];
        return each.key.type === "Literal" && typeof each.key.value === "string" ? [each.key.value] : [];
      });
    case "LogicalExpression":
      return [...keysOf(node.left), ...keysOf(node.right)];
    case "ConditionalExpression":
      return [...keysOf(node.consequent), ...keysOf(node.alternate)];
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return keysOf(node.expression);
    default:
      return [];
  }
}

function valueOf(node: Node, name: string): Node | undefined {
  if (node.type !== "ObjectExpression") return undefined;
  const property = node.properties.find((each) => each.type === "Property" && each.key.type === "Identifier" && each.key.name === name);
  return property?.type === "Property" ? property.value : undefined;
}
