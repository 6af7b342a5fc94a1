import type { Catalogue } from "../catalogue.ts";

/** Containers: what they are called, what they wait for, how they ended. */
export const CONTAINER = {
  "container/main": "container[ {name}]",
  "container/init": "init container[ {name}]",
  "container/sidecar": "sidecar container[ {name}]",
  "container/waits/image": "{^container} cannot pull its image ({reason})[: {said}]",
  "container/waits/never-pulled": "{^container} may not pull its image and it is not on the node ({reason})[: {said}]",
  "container/waits/inspect": "{^container} has an image that cannot be inspected ({reason})[: {said}]",
  "container/waits/registry": "{^container} cannot reach the registry of its image ({reason})[: {said}]",
  "container/waits/image-name": "{^container} has an image name that is not valid ({reason})[: {said}]",
  "container/waits/restart": "{^container} keeps ending and is started again ever more slowly ({reason})[: {said}][; it ended with {end}]",
  "container/waits/config": "{^container} cannot be configured ({reason})[: {said}]",
  "container/waits/create": "{^container} cannot be created ({reason})[: {said}]",
  "container/waits/start": "{^container} cannot be started ({reason})[: {said}]",
  "container/waits/pre-create-hook": "{^container} failed in its pre-create hook ({reason})[: {said}]",
  "container/waits/post-start-hook": "{^container} failed in its post-start hook ({reason})[: {said}]",
  "container/waits/creating": "{^container} is being created ({reason})[: {said}]",
  "container/waits/init": "{^container} waits for the init containers ({reason})[: {said}]",
  "container/waits": "{^container} is waiting[ ({reason})][: {said}]",
  "container/ended": "{^container} ended with {end}",
  "container/restarted": "{^container} was restarted and is not ready; it ended with {end}",
  "container/end": "{how}[: {said}]",
  "container/end/code": "[{reason}, ]exit code {code}",
  "container/end/signal": "[{reason}, ]signal {signal}",
  "container/end/reason": "{reason}",
  "container/end/unknown": "no reason given",
} as const satisfies Catalogue;
