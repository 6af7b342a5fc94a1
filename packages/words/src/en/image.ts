import type { Catalogue } from "../catalogue.ts";

/** An image that cannot be had. Facts: container, image, registry, namespace, said, reason. */
export const IMAGE = {
  "image/not-found": "{Container} cannot pull its image{has_image, select, no {} other { {image}}}: it does not exist in the registry",
  "image/not-found/next": "Correct the name or tag of the image{has_image, select, no {} other { {image}}}, or push it to the registry.",
  "image/unauthorized":
    "{Container} cannot pull its image{has_image, select, no {} other { {image}}}: the registry refuses access to it, or it does not exist",
  "image/unauthorized/next":
    "Check the name of the image, and give the pod an imagePullSecret for its registry{has_registry, select, no {} other { {registry}}} in namespace {namespace}.",
  "image/pull-secret": "The kubelet cannot get pull secret {name}, which pod {pod} names",
  "image/pull-secret/next":
    "Create Secret {name} in namespace {namespace} with access to the registry{has_registry, select, no {} other { {registry}}}, or correct imagePullSecrets of the pod.",
  "image/host-not-found":
    "{Container} cannot pull its image: the name of its registry{has_registry, select, no {} other { {registry}}} does not resolve on the node",
  "image/host-not-found/next": "Correct the registry in the image{has_image, select, no {} other { {image}}}, or repair DNS on the nodes.",
  "image/rate-limited":
    "{Container} cannot pull its image: its registry{has_registry, select, no {} other { {registry}}} limits the number of pulls",
  "image/rate-limited/next":
    "Wait until the limit is over, or pull the image{has_image, select, no {} other { {image}}} with credentials or through a mirror.",
  "image/platform": "{Container} cannot pull its image{has_image, select, no {} other { {image}}}: it has no build for the node's platform",
  "image/platform/next":
    "Build the image{has_image, select, no {} other { {image}}} for the platform of the nodes, or select nodes of a platform it has.",
  "image/certificate":
    "{Container} cannot pull its image: the nodes do not trust the certificate of its registry{has_registry, select, no {} other { {registry}}}",
  "image/certificate/next":
    "Install the authority of the registry{has_registry, select, no {} other { {registry}}} on the nodes, or give the registry a certificate they trust.",
  "image/unreachable": "{Container} cannot pull its image: its registry{has_registry, select, no {} other { {registry}}} does not answer",
  "image/unreachable/next":
    "Check that the registry{has_registry, select, no {} other { {registry}}} is up and that the nodes reach it (firewall, proxy).",
  "image/never-pulled": "{Container} may not pull its image{has_image, select, no {} other { {image}}}, and it is not on the node",
  "image/never-pulled/next": "Set imagePullPolicy of {container} to IfNotPresent, or load the image onto the nodes.",
  "image/name-invalid": "{Container} has an image name that is not valid{has_image, select, no {} other {: {image}}}",
  "image/name-invalid/next": "Correct the image of {container}: name:tag, in lower case and without spaces.",
  "image/pull-failed":
    "{Container} cannot pull its image{has_image, select, no {} other { {image}}}{has_said, select, no {} other {: {said}}}",
  "image/pull-failed/next":
    "Check that the image{has_image, select, no {} other { {image}}} exists in the registry and that the nodes may pull it.",
} as const satisfies Catalogue;
