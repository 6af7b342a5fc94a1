/** Codings that we have answers in. */
const KNOWN = ["br", "gzip"] as const;

/** Those of our codings that an `Accept-Encoding` takes (RFC 9110 §12.5.3). */
export function acceptedCodings(header: string | string[] | undefined): readonly (typeof KNOWN)[number][] {
  const codings = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.split(";").map((part) => part.trim()));
  const weightOf = (name: string): number | undefined => {
    const found = codings.find(([coding]) => coding === name);
    return found && Number(found.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  };
  return KNOWN.filter((name) => (weightOf(name) ?? weightOf("*") ?? 0) > 0);
}

/** Whether an `Accept-Encoding` takes gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return acceptedCodings(header).includes("gzip");
}
