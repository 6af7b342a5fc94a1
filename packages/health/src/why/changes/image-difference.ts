import { listAt, textAt, type Fields } from "@binnacle/kube";

/** Differences that are named; the rest is counted. */
const MAX_NAMED = 3;

/** Images that differ between two pod specs, as "api:1.4 → api:1.5"; empty when none does. */
export function imageDifference(before: Fields | undefined, after: Fields | undefined): string {
  const old = imagesOf(before);
  const changed: string[] = [];
  for (const [container, image] of imagesOf(after)) {
    const was = old.get(container);
    if (was !== undefined && was !== image) changed.push(`${nameIn(was, image)} → ${nameIn(image, was)}`);
  }
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
  return changed.slice(0, MAX_NAMED).join(", ") + more;
}

function imagesOf(spec: Fields | undefined): Map<string, string> {
  const containers = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  return new Map(containers.map((container) => [textAt(container, "name"), textAt(container, "image")]));
}

/** The name after the last slash, with a short digest; the whole name when that would not show the difference. */
function nameIn(image: string, other: string): string {
  return shortName(image) === shortName(other) ? image : shortName(image);
}

function shortName(image: string): string {
  return image.slice(image.lastIndexOf("/") + 1).replace(/@sha256:([0-9a-f]{12})[0-9a-f]*$/, "@$1");
}
