import { fieldsAt, textAt } from "@binnacle/kube";
import type { Facts } from "@binnacle/words";

import type { ContainerState } from "../../container-state.ts";
import { containerWords } from "../../container-words.ts";
import { containerSpecOf } from "../pod-references.ts";
import { knownSince, sinceOf, type Subject } from "../root.ts";
import type { Explanation } from "../explanation.ts";
import type { WhyLink } from "../why.ts";

/** Facts about a container that all sentences about containers share. */
export function containerFacts(container: ContainerState, pod: Subject): Facts {
  const spec = containerSpecOf(pod.input.spec, container.name);
  const image = textAt(spec, "image");
  const { namespace, name } = pod.ref;
  const of = container.name === "" ? "" : ` -c ${container.name}`;
  const previous = container.terminated === undefined && container.last !== undefined ? " --previous" : "";
  return {
    container: containerWords(container),
    name: container.name,
    pod: name,
    namespace,
    node: textAt(pod.input.spec, "nodeName"),
    image,
    registry: image === "" ? "" : registryOf(image),
    limit: textAt(fieldsAt(fieldsAt(spec, "resources"), "limits"), "memory"),
    log: `kubectl logs${namespace === "" ? "" : ` -n ${namespace}`} ${name}${of}${previous}`,
  };
}

/** Link of a container. */
export function containerLink(container: ContainerState, pod: Subject, explanation: Pick<Explanation, "reason" | "message">): WhyLink {
  const end = container.terminated ?? container.last;
  return {
    level: "container",
    ref: pod.ref,
    container: container.name,
    status: pod.status,
    reason: explanation.reason,
    message: explanation.message,
    ...sinceOf(end?.finishedAt || end?.startedAt || knownSince(pod)),
  };
}

/** Host of an image name; images without one come from Docker Hub. */
function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && (/[.:]/.test(first) || first === "localhost") ? first : "docker.io";
}
