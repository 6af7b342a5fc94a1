/** What a container uses at a moment. */
export interface MadeUpUsage {
  readonly cores: number;
  readonly bytes: number;
  /** CPU time since the epoch, whose growth is `cores`. */
  readonly coreSeconds: number;
}

const MIB = 2 ** 20;
const SLOW_S = 420;
const FAST_S = 37;
const SWING = 0.3;
const FLICKER = 0.1;

/**
 * Numbers for containers that do not run: they go up and down around a level that their name gives, always the same at the same moment, so that
 * all sources report the same. They measure nothing.
 *
 * @param name names the container in the cluster, "namespace/pod/container"
 */
export function madeUpUsage(name: string, atMs: number): MadeUpUsage {
  const seed = hashOf(name);
  const seconds = atMs / 1_000;
  const [level, phase] = [(seed % 97) / 97, (seed % 31) / 5];
  const cores = 0.01 + 0.09 * level;
  const wave = (period: number): number => Math.sin(seconds / period + phase);
  // The integral of what is used, so that rates of it are what is used.
  const integral = (period: number): number => -period * Math.cos(seconds / period + phase);
  return {
    cores: cores * (1 + SWING * wave(SLOW_S) + FLICKER * wave(FAST_S)),
    bytes: Math.round((24 + 40 * level) * MIB * (1 + (SWING / 4) * wave(SLOW_S))),
    coreSeconds: cores * (seconds + SWING * integral(SLOW_S) + FLICKER * integral(FAST_S)),
  };
}

function hashOf(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}
