/** Whether an `Accept-Encoding` takes gzip (RFC 9110 §12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.split(";").map((part) => part.trim()));
  const weightOf = (name: string): number | undefined => {
    const found = codings.find(([coding]) => coding === name);
    return found && Number(found.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  };
  return (weightOf("gzip") ?? weightOf("*") ?? 0) > 0;
}
