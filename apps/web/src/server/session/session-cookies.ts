import { stringifySetCookie } from "cookie";

/** Browsers keep 4 KiB per cookie, name and attributes included. */
const MAX_CHUNK_CHARACTERS = 3_584;
const MAX_CHUNKS = 3;

/** How the cookies of a dashboard are written. */
export interface SessionCookieOptions {
  /** The dashboard is on https: its cookies must be too. */
  readonly secure: boolean;
  /** Path below which the dashboard is, "/" or "/below". */
  readonly path: string;
}

/**
 * The cookies that hold a sealed session: one, or a few when it is long. The first begins with their number: "1.…". By their
 * names browsers hold them to what they promise: `__Host-` for the whole of one host, `__Secure-` below a path, both over https only.
 */
export class SessionCookies {
  readonly #options: SessionCookieOptions;
  readonly #name: string;

  constructor(options: SessionCookieOptions) {
    this.#options = options;
    const prefix = !options.secure ? "" : options.path === "/" ? "__Host-" : "__Secure-";
    this.#name = `${prefix}_binnacle_session`;
  }

  /** The sealed text that a request carries: "" for cookies that do not belong together, `undefined` without any. */
  read(cookies: ReadonlyMap<string, string>): string | undefined {
    const first = cookies.get(this.#name);
    if (first === undefined) return undefined;
    const [, count, begin] = /^([1-9])\.(.+)$/.exec(first) ?? [];
    if (begin === undefined || Number(count) > MAX_CHUNKS) return "";
    const chunks = Array.from({ length: Number(count) - 1 }, (_, index) => cookies.get(this.#nameOf(index + 1)));
    return chunks.includes(undefined) ? "" : begin + chunks.join("");
  }

  /** `Set-Cookie` lines for a sealed text, which also end what was there of a longer one; `undefined` when it is too long. */
  write(text: string, maxAgeSeconds: number, present: ReadonlyMap<string, string>): readonly string[] | undefined {
    const count = Math.ceil((text.length + 2) / MAX_CHUNK_CHARACTERS);
    if (count > MAX_CHUNKS) return undefined;
    const whole = `${count}.${text}`;
    const chunks = Array.from({ length: count }, (_, index) =>
      whole.slice(index * MAX_CHUNK_CHARACTERS, (index + 1) * MAX_CHUNK_CHARACTERS),
    );
    return [...chunks.map((chunk, index) => this.#line(this.#nameOf(index), chunk, maxAgeSeconds)), ...this.#clearing(present, count)];
  }

  /** `Set-Cookie` lines that take away all that a request carries; the first one is always taken away. */
  clear(present: ReadonlyMap<string, string>): readonly string[] {
    return [this.#line(this.#name, "", 0), ...this.#clearing(present, 1)];
  }

  #clearing(present: ReadonlyMap<string, string>, from: number): string[] {
    const names = Array.from({ length: MAX_CHUNKS }, (_, index) => this.#nameOf(index));
    return names.slice(from).flatMap((name) => (present.has(name) ? [this.#line(name, "", 0)] : []));
  }

  #nameOf(index: number): string {
    return index === 0 ? this.#name : `${this.#name}.${index}`;
  }

  #line(name: string, value: string, maxAge: number): string {
    const { path, secure } = this.#options;
    return stringifySetCookie({ name, value, path, httpOnly: true, sameSite: "lax", maxAge, secure });
  }
}

/** Headers of an answer with these `Set-Cookie` lines. */
export function headersWith(lines: readonly string[]): Headers {
  const headers = new Headers({ "cache-control": "no-store" });
  for (const line of lines) headers.append("set-cookie", line);
  return headers;
}
