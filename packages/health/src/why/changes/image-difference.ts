import { listAt, textAt, type Fields } from "@binnacle/kube";
import { words, type FactValue, type Words } from "@binnacle/words";

import { firstNames } from "../../missing-health.ts";

/** Differences that are named; the rest is counted. */
const MAX_NAMED = 3;

/** Images that differ between two pod specs, as "api:1.4 → api:1.5"; absent when none does. */
export function imageDifference(before: Fields | undefined, after: Fields | undefined): FactValue | undefined {
  const old = imagesOf(before);
  const changed: Words[] = [];
  for (const [container, image] of imagesOf(after)) {
    const was = old.get(container);
    if (was !== undefined && was !== image) changed.push(words("change/image", { before: nameIn(was, image), after: nameIn(image, was) }));
  }
  return changed.length === 0 ? undefined : firstNames(changed, MAX_NAMED);
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
