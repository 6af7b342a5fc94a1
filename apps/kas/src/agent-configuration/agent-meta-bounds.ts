import { create } from "@bufbuild/protobuf";
import { AgentMetaSchema, KubernetesVersionSchema, type AgentMeta } from "@binnacle/proto/modshared";

/** Longest namespace and name of a pod. @see RFC 1123, Kubernetes "Object Names and IDs" */
const MAX_NAME = 253;
const MAX_VERSION = 128;
const MAX_COMMIT = 64;
const MAX_PLATFORM = 64;

/**
 * What an agent tells about itself, each text cut to what a true one can be: it is kept in memory and in Redis for as long as the agent is
 * connected, and stands in every list of the project's agents. Fields that we do not know are dropped.
 */
export function boundedMeta(meta: AgentMeta): AgentMeta {
  const kubernetes = meta.kubernetesVersion;
  return create(AgentMetaSchema, {
    version: meta.version.slice(0, MAX_VERSION),
    commitId: meta.commitId.slice(0, MAX_COMMIT),
    podNamespace: meta.podNamespace.slice(0, MAX_NAME),
    podName: meta.podName.slice(0, MAX_NAME),
    ...(kubernetes && {
      kubernetesVersion: create(KubernetesVersionSchema, {
        major: kubernetes.major.slice(0, MAX_PLATFORM),
        minor: kubernetes.minor.slice(0, MAX_PLATFORM),
        gitVersion: kubernetes.gitVersion.slice(0, MAX_VERSION),
        platform: kubernetes.platform.slice(0, MAX_PLATFORM),
      }),
    }),
  });
}
