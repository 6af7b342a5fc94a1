import type { SourceTree } from "./source-tree.ts";

const TYPESCRIPT = /^(?:apps|packages|scripts|e2e)\/.*\.tsx?$/;
const GENERATED = /^packages\/(?:proto\/gen\/|graph\/src\/packs\/|words\/src\/english\.ts$)/;
const PRODUCT = /^(?:apps\/(?:agentk|kas|web)|packages\/[^/]+)\/(?:src|app)\//;
/** Tests, what only they use, and stand-ins of programs of others. */
const NOT_PRODUCT =
  /\.(?:test|itest|conformance|bench)\.tsx?$|\.dev\.tsx$|\/(?:testing|hostile|fixtures|real-cluster)\/|^packages\/(?:kube-sandbox|kubelet-stand-in|control-plane|testing)\//;
/** A product file of fewer lines with a single importer usually belongs in that importer. */
const FEW_LINES = 60;
const MAX_LINES = 400;
/** Of the product files: some are a concept of their own. */
const MAX_SINGLE_IMPORTER_SHARE = 0.08;

/** A source and its text. */
type Source = readonly [path: string, text: string];

/** The sources of a tree, and what the rules of files find in them. */
export interface FileRules {
  /** TypeScript that is not generated. */
  readonly sources: readonly Source[];
  /** Sources of the product, without tests and stand-ins. */
  readonly product: readonly Source[];
  /** Paths of product files under 60 lines that one product file imports, and no other. */
  readonly singleImporters: readonly string[];
  /** Paths of sources over 400 lines. */
  readonly long: readonly string[];
}

/** Applies the rules of files (docs/design/conventions.md). */
export function fileRulesOf(tree: SourceTree): FileRules {
  const sources = [...tree.texts()].filter(([path]) => TYPESCRIPT.test(path) && !GENERATED.test(path));
  const product = sources.filter(([path]) => PRODUCT.test(path) && !NOT_PRODUCT.test(path));
  return {
    sources,
    product,
    singleImporters: singleImportersOf(product),
    long: sources.filter(([, text]) => linesOf(text) > MAX_LINES).map(([path]) => path),
  };
}

/** A line for each file that is too long, and one when too many are not concepts of their own. */
export function fileRuleProblems(tree: SourceTree): string[] {
  const { product, singleImporters, long } = fileRulesOf(tree);
  const isOver = singleImporters.length > product.length * MAX_SINGLE_IMPORTER_SHARE;
  const share = `${singleImporters.length} of ${product.length} product files have under ${FEW_LINES} lines and a single importer`;
  return [
    ...long.map((path) => `${path} has over ${MAX_LINES} lines: split it along a concept`),
    ...(isOver ? [`${share}, at most ${MAX_SINGLE_IMPORTER_SHARE * 100} % may: put those that are no concept into their importer`] : []),
  ];
}

/** Lines of a text that ends with a line break. */
export function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

function singleImportersOf(product: readonly Source[]): string[] {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of product) {
    for (const [, specifier = ""] of text.matchAll(/(?:\bfrom |\bimport ?\(?|new URL\()"(\.{1,2}\/[^"]+)"/g)) {
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return product.filter(([path, text]) => linesOf(text) < FEW_LINES && importers.get(path)?.size === 1).map(([path]) => path);
}
