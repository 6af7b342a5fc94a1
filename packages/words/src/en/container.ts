import type { Catalogue } from "../catalogue.ts";

/** Containers: what they are called, what they wait for, how they ended. */
export const CONTAINER = {
  "container/main": "container{has_name, select, no {} other { {name}}}",
  "container/init": "init container{has_name, select, no {} other { {name}}}",
  "container/sidecar": "sidecar container{has_name, select, no {} other { {name}}}",
  "container/waits/image": "{Container} cannot pull its image ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/never-pulled":
    "{Container} may not pull its image and it is not on the node ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/inspect": "{Container} has an image that cannot be inspected ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/registry": "{Container} cannot reach the registry of its image ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/image-name": "{Container} has an image name that is not valid ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/restart":
    "{Container} keeps ending and is started again ever more slowly ({reason}){has_said, select, no {} other {: {said}}}{has_end, select, no {} other {; it ended with {end}}}",
  "container/waits/config": "{Container} cannot be configured ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/create": "{Container} cannot be created ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/start": "{Container} cannot be started ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/pre-create-hook": "{Container} failed in its pre-create hook ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/post-start-hook": "{Container} failed in its post-start hook ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/creating": "{Container} is being created ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits/init": "{Container} waits for the init containers ({reason}){has_said, select, no {} other {: {said}}}",
  "container/waits": "{Container} is waiting{has_reason, select, no {} other { ({reason})}}{has_said, select, no {} other {: {said}}}",
  "container/ended": "{Container} ended with {end}",
  "container/restarted": "{Container} was restarted and is not ready; it ended with {end}",
  "container/end": "{how}{has_said, select, no {} other {: {said}}}",
  "container/end/code": "{has_reason, select, no {} other {{reason}, }}exit code {code}",
  "container/end/signal": "{has_reason, select, no {} other {{reason}, }}signal {signal}",
  "container/end/reason": "{reason}",
  "container/end/unknown": "no reason given",
} as const satisfies Catalogue;
