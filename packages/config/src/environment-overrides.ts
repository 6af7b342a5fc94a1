/** Plain YAML data. */
export type ConfigTree = { [key: string]: unknown };

function isTree(value: unknown): value is ConfigTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Lays environment variables over a configuration: `KAS__AGENT__LISTEN__ADDRESS=…` sets `agent.listen.address`. Two underscores, so
 * that Kubernetes' own `KAS_PORT` never collides. Values are read as YAML scalars by `parseScalar`.
 *
 * @returns a new tree; the given one is left as it is
 */
export function overlayEnvironment(
  tree: ConfigTree,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly prefix: string;
    readonly parseScalar: (text: string) => unknown;
  },
): ConfigTree {
  const result = structuredClone(tree);
  for (const [name, text] of Object.entries(options.env)) {
    if (text === undefined || !name.startsWith(`${options.prefix}__`)) continue;
    const path = name
      .slice(options.prefix.length + 2)
      .toLowerCase()
      .split("__");
    const last = path.pop();
    if (last === undefined) continue;
    let node = result;
    for (const key of path) {
      const child = Object.hasOwn(node, key) ? node[key] : undefined;
      const next: ConfigTree = isTree(child) ? child : {};
      Object.defineProperty(node, key, { value: next, enumerable: true, configurable: true, writable: true });
      node = next;
    }
    Object.defineProperty(node, last, { value: options.parseScalar(text), enumerable: true, configurable: true, writable: true });
  }
  return result;
}
