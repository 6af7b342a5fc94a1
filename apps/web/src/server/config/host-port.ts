/** Splits "host:port"; an IPv6 host loses its brackets. The configuration has checked the form. */
export function parseHostPort(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(":");
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(address.slice(colon + 1)) };
}
