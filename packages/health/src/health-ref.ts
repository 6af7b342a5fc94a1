import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import type { HealthRef } from "./health-result.ts";
import { groupAt } from "./relatives.ts";

/** Names an object of unknown shape; what is not there is empty. */
export function refOf(object: Fields): HealthRef {
  const metadata = fieldsAt(object, "metadata");
  const apiVersion = textAt(object, "apiVersion");
  const uid = textAt(metadata, "uid");
  return {
    group: groupAt(object),
    version: apiVersion.slice(apiVersion.indexOf("/") + 1),
    kind: textAt(object, "kind"),
    namespace: textAt(metadata, "namespace"),
    name: textAt(metadata, "name"),
    ...(uid === "" ? {} : { uid }),
  };
}
