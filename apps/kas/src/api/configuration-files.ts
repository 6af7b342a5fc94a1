import { create } from "@bufbuild/protobuf";
import {
  ListAgentConfigFilesResponseSchema,
  type ListAgentConfigFilesRequest,
  type ListAgentConfigFilesResponse,
} from "@binnacle/proto/configuration-project";
import { Fault } from "@binnacle/rpc";

import type { GitalyClient } from "../gitaly/gitaly-client.ts";

const DIRECTORY = ".gitlab/agents";
/** Names of agents are DNS labels, up to 63 characters. */
const CONFIGURATION = /^\.gitlab\/agents\/([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/config\.yaml$/;

/** The configuration files of a project's default branch. @throws Fault `invalid_request`, `gitaly_unavailable` */
export async function listConfigurationFiles(
  gitaly: GitalyClient,
  request: ListAgentConfigFilesRequest,
): Promise<ListAgentConfigFilesResponse> {
  const { repository, gitalyInfo, defaultBranch } = request;
  if (repository === undefined || gitalyInfo === undefined) throw new Fault("invalid_request", "repository and gitaly_info must be set");
  const revision = defaultBranch === "" ? "HEAD" : `refs/heads/${defaultBranch}`;
  const access = { address: gitalyInfo.address, token: gitalyInfo.token, features: gitalyInfo.features };
  const paths = await gitaly.filesBelow(access, repository, { revision, path: DIRECTORY });
  const configFiles = paths.flatMap((name) => {
    const agentName = CONFIGURATION.exec(name)?.[1];
    return agentName === undefined ? [] : [{ name, agentName }];
  });
  return create(ListAgentConfigFilesResponseSchema, { configFiles });
}
