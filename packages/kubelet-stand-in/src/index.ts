export { KubeletServer, type KubeletIdentity } from "./kubelet-server.ts";
export { LOG_ANNOTATIONS, countAt, lineText, logProfile, timeOfLine, type LogProfile, type LogStyle } from "./logs/log-lines.ts";
export { podOf, type ContainerState, type Pod, type PodContainer, type PodSource } from "./pod.ts";
export { PodStreams, type ContainerEnd, type ContainerTarget, type PodStreamsOptions } from "./pod-streams.ts";
export { withEnd } from "./ephemeral-status.ts";
export { StreamError } from "./status.ts";
export { isStreamUpgrade, type Upgrade } from "./streams/upgrade.ts";
export { handleUpgrades } from "./streams/upgraded-sockets.ts";
export { serveControlPlane, type ControlPlaneFiles } from "./serve-control-plane.ts";
