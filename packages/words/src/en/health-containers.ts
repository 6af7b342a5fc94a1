import type { Catalogue } from "../catalogue.ts";

/** Messages about pods and their containers, and why they are not healthy. */
export const HEALTH_CONTAINERS = {
  // Containers: what they are called, what they wait for, how they ended.
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
  // Health of pods, as far as it is not about one container. Facts: reason, said.
  "pod/succeeded": "All containers ended well",
  "pod/failed": "The pod has failed",
  "pod/failed-saying": "{has_reason, select, no {} other {{reason}: }}{said}",
  "pod/not-reported": "The node does not report on this pod",
  "pod/unschedulable": "No node takes the pod: {said}",
  "pod/unschedulable/silent": "the scheduler gives no reason",
  "pod/gated": "Scheduling is blocked by a scheduling gate",
  "pod/gated-by": "Scheduling waits for {count, plural, one {the gate} other {the gates}} {gates}",
  "pod/not-started": "The pod has not started yet",
  "pod/ready": "The pod is ready",
  "pod/not-taken": "The kubelet of node {node} has not taken the pod",
  "pod/node-not-ready": "The pod is not ready because node {node} is not ready",
  "pod/not-ready": "The pod is not ready: {said}",
  "pod/not-ready-yet": "The pod runs and is not ready yet",
  "pod/runs-to-end": "The pod runs until its containers end",
  // A container that ended, or ends again and again. Facts: container, name, pod, namespace, code, limit, limits, said, reason, log, and
  // restarts: of these count and time.
  "crash/oom": "{Container} used more memory than its limit of {limit} and was killed{has_restarts, select, no {} other {; {restarts}}}",
  "crash/oom/next": "Raise resources.limits.memory of {container} above {limit}, or make the program use less memory.",
  "crash/oom-without-limit":
    "{Container} was killed because memory ran out{has_code, select, no {} other { (exit code {code})}}{has_limits, select, no {} other { {limits}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/oom-without-limit/next": "Give {container} a memory request and limit that fit its use, or make the program use less memory.",
  "crash/killed":
    "{Container} was killed from outside (exit code 137), and not for its memory limit{has_restarts, select, no {} other {; {restarts}}}",
  "crash/killed/next":
    "Look for failed liveness probes of {container} and for a node that runs out of memory, and give it more time or memory.",
  "crash/error":
    "{Container} exited with code {code}{has_said, select, no {} other {: {said}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/error/next": "Read the log of its last run ({log}) and repair what makes it end.",
  "crash/not-executable":
    "{Container} cannot run its command: it is not executable (exit code 126){has_said, select, no {} other {: {said}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/not-executable/next": "Make the command of {container} executable in its image, or correct command and args in the spec.",
  "crash/command-not-found":
    "{Container} cannot find its command (exit code 127){has_said, select, no {} other {: {said}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/command-not-found/next": "Correct command and args of {container}, or use an image that holds the program.",
  "crash/segfault": "{Container} crashes on a memory access (exit code 139, SIGSEGV){has_restarts, select, no {} other {; {restarts}}}",
  "crash/segfault/next": "Read the log of its last run ({log}), and check that the image is built for the node's processor.",
  "crash/terminated": "{Container} received SIGTERM (exit code 143) and is started again{has_restarts, select, no {} other {; {restarts}}}",
  "crash/terminated/next": "Look for failed liveness probes and evictions among the events of pod {pod}.",
  "crash/completed":
    "{Container} exited without an error (exit code 0) although it should keep running{has_restarts, select, no {} other {; {restarts}}}",
  "crash/completed/next": "Make the command of {container} stay in the foreground, or run it as a Job.",
  "crash/exit-unknown": "{Container} exited again and again; how is not known{has_restarts, select, no {} other {; {restarts}}}",
  "crash/exit-unknown/next": "Read the log of its last run ({log}).",
  "crash/no-limit": "and has no memory limit",
  "crash/restarts":
    "it was restarted {count, plural, one {once} other {{count} times}}{has_time, select, no {} other {, and last ended at {time} UTC}}",
  // An image that cannot be pulled. Facts: container, image, registry, namespace, said, reason.
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
  // A pod or container that does not get to run. Facts: container, pod, node, said, reason, log.
  "start/runs-as-root": "{Container} may not run: its image runs as root and runAsNonRoot forbids that",
  "start/runs-as-root/next": "Set runAsUser of {container} to a user other than 0, or use an image that does not run as root.",
  "start/config": "{Container} cannot be configured{has_said, select, no {} other {: {said}}}",
  "start/config/next": "Correct what {container} takes from ConfigMaps, Secrets and its security context.",
  "start/command-missing": "{Container} cannot be started: its command is not in the image{has_said, select, no {} other {: {said}}}",
  "start/command-missing/next": "Correct command and args of {container}, or use an image that holds the program.",
  "start/create": "{Container} cannot be created or started{has_said, select, no {} other {: {said}}}",
  "start/create/next": "Correct the spec of {container} (command, mounts, security context); the message names the part.",
  "start/hook": "{Container} failed in a lifecycle hook{has_said, select, no {} other {: {said}}}",
  "start/hook/next": "Correct the lifecycle hook of {container}, or remove it.",
  "start/waiting": "{Container} does not start{has_said, select, no {} other {: {said}}}",
  "start/waiting/next": "Read the events of pod {pod}.",
  "start/init-running": "{Container} still runs, and the other containers wait for it",
  "start/init-running/next": "Read its log ({log}) to see what it waits for.",
  "start/sidecar-starting": "{Container} has not started yet, and the containers after it wait for it",
  "start/sidecar-starting/next": "Read its log ({log}), and compare it with its startup probe if it has one.",
  "start/sandbox":
    "The node{has_node, select, no {} other { {node}}} cannot set up the pod's network or sandbox{has_said, select, no {} other {: {said}}}",
  "start/sandbox/next": "Check the network plugin and the container runtime{has_node, select, no {} other { of node {node}}}.",
  "start/starting": "Pod {pod} is starting",
  "start/starting/next": "Wait; if it stays so, read the events of pod {pod}.",
  "start/not-taken": "The kubelet of node {node} has not taken pod {pod}, which was scheduled more than a minute ago",
  "start/not-taken/next":
    "Check the machine and the kubelet of node {node}. Whether the node is ready is not known here: that needs the right to list and watch nodes.",
  "start/stuck": "Pod {pod} has not started",
  "start/stuck/next": "Read the events of pod {pod}, and the log of the kubelet on its node if they name no cause.",
  "start/not-ready": "Pod {pod} runs and is not ready{has_said, select, no {} other {: {said}}}",
  "start/not-ready/next": "Read the log of pod {pod}, and compare it with its readiness probe.",
  "start/not-ready-without-probe":
    "Pod {pod} runs and is not ready, and {container} has no readiness probe that could show why{has_said, select, no {} other {: {said}}}",
  "start/not-ready-without-probe/next":
    "Read its log ({log}) and check that the kubelet{has_node, select, no {} other { of node {node}}} works, which alone decides without a probe; then add a readiness probe.",
  "start/readiness-gate": "Pod {pod} runs, and a readiness gate keeps it from being ready{has_said, select, no {} other {: {said}}}",
  "start/readiness-gate/next": "Check the controller that sets the conditions named in spec.readinessGates of pod {pod}.",
  "start/runs-to-end": "Pod {pod} runs until its containers end",
  "start/runs-to-end/next": "Wait for it to end; if it takes too long, read its log.",
  "start/rejected": "Node{has_node, select, no {} other { {node}}} did not take pod {pod}{has_said, select, no {} other {: {said}}}",
  "start/rejected/next": "Delete the pod so that it is scheduled anew, and check what the node has free.",
  "start/failed": "Pod {pod} has failed{has_said, select, no {} other {: {said}}}",
  "start/failed/next": "Read the log and the events of pod {pod}, then delete it.",
  // Probes. Facts: container, target, said.
  "probe/readiness":
    "{Container} fails its readiness probe{has_target, select, no {} other { ({target})}}{has_said, select, no {} other {: {said}}}",
  "probe/readiness/next":
    "Make {container} answer its readiness probe{has_target, select, no {} other { ({target})}}, or correct the probe in the spec.",
  "probe/liveness":
    "{Container} fails its liveness probe{has_target, select, no {} other { ({target})}} and is restarted for it{has_said, select, no {} other {: {said}}}",
  "probe/liveness/next":
    "Make {container} answer its liveness probe{has_target, select, no {} other { ({target})}} in time, or give the probe a longer timeout.",
  "probe/startup":
    "{Container} fails its startup probe{has_target, select, no {} other { ({target})}}{has_said, select, no {} other {: {said}}}",
  "probe/startup/next":
    "Raise failureThreshold of the startup probe{has_target, select, no {} other { ({target})}} if {container} needs longer to start, or repair its start.",
  "probe/silent": "{Container} runs, and its readiness probe{has_target, select, no {} other { ({target})}} has not succeeded",
  "probe/silent/next":
    "Check in the log of {container} whether it has started, and that its readiness probe{has_target, select, no {} other { ({target})}} checks the right target.",
  "probe/target/http": "GET {path} on port {port}",
  "probe/target/tcp": "TCP port {port}",
  "probe/target/grpc": "gRPC port {port}",
  "probe/target/command": "command {command}",
} as const satisfies Catalogue;
