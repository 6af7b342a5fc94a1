/** Addresses come from the main application and from clusters; only those of the web become links. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//.test(url);
}
