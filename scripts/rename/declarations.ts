import { parseSync, type Node, type Program } from "oxc-parser";

/** A name where it is declared. */
export interface Declaration {
  readonly name: string;
  /** Names of what it is declared in, outermost first: a class, a function, a type. */
  readonly within: readonly string[];
  /** Where the name begins, in UTF-16 units. */
  readonly start: number;
  /** "export": other files may import it; "member" of a class, a type or an object; "local" to the file or to a part of it. */
  readonly scope: "export" | "member" | "local";
}

type Name = Pick<Declaration, "name" | "start">;

/** All names that a source declares: variables, parameters, functions, classes, types and their members. */
export function declarationsIn(path: string, source: string): Declaration[] {
  const found: Declaration[] = [];
  const { program } = parseSync(path, source);
  const exported = exportedNamesOf(program);
  const visit = (node: Node, within: readonly string[], isOfModule: boolean): void => {
    const scopeOf = ({ name }: Name): Declaration["scope"] => (isOfModule && exported.has(name) ? "export" : "local");
    const own = ownNameOf(node);
    const inner = own === undefined ? within : [...within, own.name];
    if (own !== undefined) found.push({ ...own, within, scope: MEMBERS.has(node.type) ? "member" : scopeOf(own) });
    for (const name of boundNamesOf(node)) {
      found.push({ ...name, within: inner, scope: node.type === "VariableDeclarator" ? scopeOf(name) : "local" });
    }
    for (const child of childrenOf(node)) visit(child, inner, isOfModule && MODULE_STATEMENTS.has(node.type));
  };
  visit(program, [], true);
  return found;
}

/** Names of a module's own declarations that it exports, where they are declared or by `export { … }`. */
function exportedNamesOf(program: Program): ReadonlySet<string> {
  const names = program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" && statement.type !== "ExportDefaultDeclaration") return [];
    if (statement.type === "ExportNamedDeclaration" && statement.declaration === null) {
      return statement.specifiers.flatMap(({ local }) => (local.type === "Identifier" ? [local.name] : []));
    }
    const { declaration } = statement;
    if (declaration?.type !== "VariableDeclaration") return declaration === null ? [] : [ownNameOf(declaration)?.name ?? ""];
    return declaration.declarations.flatMap(({ id }) => namesIn(id).map(({ name }) => name));
  });
  return new Set(names);
}

/** Where a shorthand in an object or in a pattern begins: `{ name }`. */
export function shorthandsIn(path: string, source: string): ReadonlySet<number> {
  const starts = new Set<number>();
  const visit = (node: Node): void => {
    if (node.type === "Property" && node.shorthand) starts.add(node.start);
    childrenOf(node).forEach(visit);
  };
  visit(parseSync(path, source).program);
  return starts;
}

/** What a declaration of a module stands in, if it stands in anything. */
const MODULE_STATEMENTS: ReadonlySet<string> = new Set([
  "Program",
  "ExportDefaultDeclaration",
  "ExportNamedDeclaration",
  "VariableDeclaration",
]);

const MEMBERS: ReadonlySet<string> = new Set([
  "MethodDefinition",
  "Property",
  "PropertyDefinition",
  "TSMethodSignature",
  "TSPropertySignature",
]);

/** The name of a node whose parts are declared within it. */
function ownNameOf(node: Node): Name | undefined {
  switch (node.type) {
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "TSEnumDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return node.id === null ? undefined : nameOf(node.id);
    case "VariableDeclarator":
      return nameOf(node.id);
    case "MethodDefinition":
    case "PropertyDefinition":
    case "TSMethodSignature":
    case "TSPropertySignature":
      return node.computed ? undefined : nameOf(node.key);
    case "Property":
      return node.computed || node.shorthand || node.value.type.endsWith("Pattern") ? undefined : nameOf(node.key);
    default:
      return undefined;
  }
}

/** Names that a node declares by patterns: parameters, variables that are taken from an object or list, the error of a `catch`. */
function boundNamesOf(node: Node): Name[] {
  if ("params" in node && Array.isArray(node.params)) return (node.params as Node[]).flatMap(namesIn);
  if (node.type === "VariableDeclarator" && node.id.type !== "Identifier") return namesIn(node.id);
  if (node.type === "CatchClause" && node.param !== null) return namesIn(node.param);
  if (node.type === "TSTypeParameter") return namesIn(node.name);
  return [];
}

function namesIn(pattern: Node): Name[] {
  switch (pattern.type) {
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => namesIn(each.type === "Property" ? each.value : each.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap((each) => (each === null ? [] : namesIn(each)));
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default: {
      const name = nameOf(pattern);
      return name === undefined ? [] : [name];
    }
  }
}

function nameOf(node: Node): Name | undefined {
  if (node.type === "PrivateIdentifier") return { name: `#${node.name}`, start: node.start };
  return node.type === "Identifier" ? { name: node.name, start: node.start } : undefined;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
