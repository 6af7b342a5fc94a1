/** A path of our own, whatever was asked for: an address of another host would make the sign-in a springboard. */
export function safePath(path: string): string {
  if (!/^\/(?![/\\])/.test(path)) return "/";
  const url = new URL(path, "http://path.invalid");
  return url.host === "path.invalid" ? `${url.pathname}${url.search}${url.hash}` : "/";
}
