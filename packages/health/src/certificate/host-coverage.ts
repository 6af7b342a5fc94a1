/** DNS knows none that are longer. */
const MAX_HOST_CHARS = 253;

/**
 * Whether one of the names of a certificate is for a host, as RFC 6125 §6.4 and RFC 9525 §6.3 compare them: without regard to case, a
 * wildcard stands for exactly one label, the left-most one. The host of a listener may be a wildcard itself: only the same one covers it.
 */
export function coversHost(names: readonly string[], host: string): boolean {
  const wanted = normalHost(host);
  if (wanted === "") return true;
  const dot = wanted.indexOf(".");
  const wildcard = dot > 0 && !wanted.startsWith("*.") && wanted.indexOf(".", dot + 1) > 0 ? `*${wanted.slice(dot)}` : wanted;
  return names.some((name) => {
    const own = normalHost(name);
    return own === wanted || (own === wildcard && !isAddress(wanted));
  });
}

/** As hosts are compared: lower case, in the letters of DNS, without the dot of the root. Empty for what is no host. */
export function normalHost(host: string): string {
  if (host.length > MAX_HOST_CHARS + 1) return "";
  const text = (host.endsWith(".") ? host.slice(0, -1) : host).toLowerCase();
  if (isAscii(text)) return text === "*" ? "" : text;
  // The parser of addresses knows the letters that names of other languages are written with in DNS.
  const url = `https://${text.replace(/^\*\./, "")}`;
  const ascii = URL.canParse(url) ? new URL(url).hostname : "";
  return ascii !== "" && text.startsWith("*.") ? `*.${ascii}` : ascii;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^[\d.]+$/.test(host);
}
