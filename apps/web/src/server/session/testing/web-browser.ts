import { parseSetCookie } from "cookie";

/** Redirects that are followed. */
const MAX_STEPS = 20;

/** A browser of a few lines: cookies by host, redirects, and names that lead to processes of the test. */
export class WebBrowser {
  /** Addresses that were visited, in order. */
  readonly visited: string[] = [];
  readonly #jars = new Map<string, Map<string, string>>();
  readonly #addresses: ReadonlyMap<string, string>;

  /** @param addresses host of an address → host:port that answers for it */
  constructor(addresses: ReadonlyMap<string, string>) {
    this.#addresses = addresses;
  }

  /** The `Cookie` header for a host. */
  cookies(host: string): string {
    return [...(this.#jars.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Puts cookies into the jar of a host as another browser, or another process, would. */
  setCookies(host: string, header: string): void {
    this.#jars.set(host, new Map(header.split("; ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])));
  }

  /** One request; redirects are not followed. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { host, pathname, search } = new URL(url);
    this.visited.push(`${init.method ?? "GET"} ${url}`);
    const headers = new Headers(init.headers);
    const cookie = this.cookies(host);
    if (cookie !== "") headers.set("cookie", cookie);
    const answer = await fetch(`http://${this.#addresses.get(host) ?? host}${pathname}${search}`, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) this.#keep(host, line);
    return answer;
  }

  /** Goes to an address, and on to where it leads. @param until stops before an address that this accepts */
  async open(
    url: string,
    until: (url: string) => boolean = () => false,
  ): Promise<{ readonly url: string; readonly answer: Response | undefined }> {
    let at = url;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (until(at)) return { url: at, answer: undefined };
      const answer = await this.fetch(at, { headers: { accept: "text/html" } });
      const location = answer.headers.get("location");
      if (answer.status < 300 || answer.status > 399 || location === null) return { url: at, answer };
      at = new URL(location, at).href;
    }
    throw new Error(`redirects do not end: ${this.visited.join(" → ")}`);
  }

  #keep(host: string, line: string): void {
    const { name, value = "", maxAge, expires } = parseSetCookie(line, { decode: (text) => text });
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    if (maxAge === 0 || value === "" || (expires !== undefined && expires.getTime() <= Date.now())) jar.delete(name);
    else jar.set(name, value);
  }
}
