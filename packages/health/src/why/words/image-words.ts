import type { WordTable } from "./words.ts";

/** An image that cannot be had. Facts: container, image, registry, namespace, said, reason. */
export const IMAGE_WORDS = {
  "not-found": {
    message: "{container} cannot pull its image: {image} does not exist in the registry",
    nextStep: "Correct the name or tag of image {image}, or push it to the registry.",
  },
  unauthorized: {
    message: "{container} cannot pull its image: the registry refuses access to {image}, or it does not exist",
    nextStep: "Check the name of the image, and give the pod an imagePullSecret for {registry} in namespace {namespace}.",
  },
  "host-not-found": {
    message: "{container} cannot pull its image: the name {registry} does not resolve on the node",
    nextStep: "Correct the registry in image {image}, or repair DNS on the nodes.",
  },
  "rate-limited": {
    message: "{container} cannot pull its image: the registry {registry} limits the number of pulls",
    nextStep: "Wait until the limit is over, or pull {image} with credentials or through a mirror.",
  },
  platform: {
    message: "{container} cannot pull its image: {image} has no build for the node's platform",
    nextStep: "Build {image} for the platform of the nodes, or select nodes of a platform it has.",
  },
  certificate: {
    message: "{container} cannot pull its image: the nodes do not trust the certificate of {registry}",
    nextStep: "Install the authority of {registry} on the nodes, or give the registry a certificate they trust.",
  },
  unreachable: {
    message: "{container} cannot pull its image: the registry {registry} does not answer",
    nextStep: "Check that {registry} is up and that the nodes reach it (firewall, proxy).",
  },
  "never-pulled": {
    message: "{container} may not pull {image}, and the image is not on the node",
    nextStep: "Set imagePullPolicy of {container} to IfNotPresent, or load the image onto the nodes.",
  },
  "name-invalid": {
    message: "{container} has an image name that is not valid: {image}",
    nextStep: "Correct the image of {container}: name:tag, in lower case and without spaces.",
  },
  "pull-failed": {
    message: "{container} cannot pull its image {image}[: {said}]",
    nextStep: "Check that {image} exists in the registry and that the nodes may pull it.",
  },
} as const satisfies WordTable;
