/** A text as one word of a POSIX shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What stands for the address of kas where the operator has not configured it. */
const NO_ADDRESS = "ADDRESS-OF-KAS";

/** What an agentk is started with. */
export interface Installation {
  readonly agent: string;
  /** Empty: not configured. */
  readonly kasAddress: string;
  /** The token's secret; empty: the file is there already. */
  readonly secret: string;
}

/** Commands that start agentk without a container: the token goes into a file that only its owner reads, never into an argument. */
export function installCommand({ agent, kasAddress, secret }: Installation): string {
  const file = shellQuoted(`agentk-${agent}.token`);
  const write = secret === "" ? [] : [`(umask 077 && printf %s ${shellQuoted(secret)} > ${file})`];
  const run = [
    `POD_NAMESPACE=default POD_NAME="$(hostname)" npx node apps/agentk/src/main.ts`,
    `--kas-address ${shellQuoted(kasAddress === "" ? NO_ADDRESS : kasAddress)}`,
    `--token-file ${file}`,
  ].join(" \\\n  ");
  return [...write, run].join("\n");
}

/** Commands that bring a checkout to the version of kas. */
export function upgradeCommand(kasVersion: string): string {
  return `git fetch --tags && git checkout ${shellQuoted(kasVersion)} && npm ci`;
}

/** How the versions of replicas and kas stand to each other; `undefined`: nothing is to be done, or nothing is known. */
export type VersionSkew =
  | { readonly kind: "older" | "newer"; readonly version: string; readonly kas: string }
  | { readonly kind: "replicas"; readonly versions: readonly string[] };

/** Compares versions `v1.2.3`; others are not compared. */
export function versionSkew(replicas: readonly { readonly version: string }[], kas: string): VersionSkew | undefined {
  const versions = [...new Set(replicas.map(({ version }) => version).filter((version) => version !== ""))].toSorted(
    (a, b) => compare(a, b) ?? (a < b ? -1 : 1),
  );
  const [oldest, newest] = [versions[0], versions.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  if ((compare(oldest, kas) ?? 0) < 0) return { kind: "older", version: oldest, kas };
  if ((compare(newest, kas) ?? 0) > 0) return { kind: "newer", version: newest, kas };
  return versions.length > 1 ? { kind: "replicas", versions } : undefined;
}

function compare(a: string, b: string): number | undefined {
  const [left, right] = [a, b].map((version) => /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:$|[-+])/.exec(version)?.slice(1).map(Number));
  if (left === undefined || right === undefined) return undefined;
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
