import { SETTINGS_SCHEMA } from "./graphql-settings.ts";

/** The part of the main application's GraphQL schema that the dashboard uses, and nothing more. */
export const GRAPHQL_SCHEMA = `${SETTINGS_SCHEMA}
scalar Time
scalar BigInt

enum DeploymentStatus { CREATED RUNNING SUCCESS FAILED CANCELED SKIPPED BLOCKED }

enum DeploymentTier { PRODUCTION STAGING TESTING DEVELOPMENT OTHER }

type Query {
  "The user of the session or token."
  currentUser: CurrentUser
  "A project the user may read; null otherwise."
  project(fullPath: ID!): Project
  "Projects; with membership, those the user is a member of."
  projects(membership: Boolean, first: Int, after: String): ProjectConnection
}

type Mutation {
  "For maintainers of the project; null otherwise. So are the three below."
  createClusterAgent(input: CreateClusterAgentInput!): CreateClusterAgentPayload
  clusterAgentDelete(input: ClusterAgentDeleteInput!): ClusterAgentDeletePayload
  clusterAgentTokenCreate(input: ClusterAgentTokenCreateInput!): ClusterAgentTokenCreatePayload
  clusterAgentTokenRevoke(input: ClusterAgentTokenRevokeInput!): ClusterAgentTokenRevokePayload
}

input CreateClusterAgentInput { projectPath: ID! name: String! }
input ClusterAgentDeleteInput { id: ID! }
input ClusterAgentTokenCreateInput { clusterAgentId: ID! name: String! description: String }
input ClusterAgentTokenRevokeInput { id: ID! }

type CreateClusterAgentPayload { clusterAgent: ClusterAgent errors: [String!]! }
type ClusterAgentDeletePayload { errors: [String!]! }
type ClusterAgentTokenCreatePayload { secret: String token: ClusterAgentToken errors: [String!]! }
type ClusterAgentTokenRevokePayload { errors: [String!]! }

type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

type CurrentUser { id: ID! username: String! name: String! }

type ProjectConnection { nodes: [Project] pageInfo: PageInfo! }

type Project {
  id: ID!
  name: String!
  fullPath: ID!
  webUrl: String
  environment(name: String): Environment
  "Null for who may not see it."
  clusterAgent(name: String!): ClusterAgent
  clusterAgents(first: Int, after: String): ClusterAgentConnection
  userPermissions: ProjectPermissions!
  "Of these states, all when none is given; one that there is not is an error."
  environments(first: Int, after: String, search: String, states: [String!]): EnvironmentConnection
  "Null for who may not read the code."
  repository: Repository
  userPermissions: ProjectPermissions!
  "Agents whose user_access lists the project or a group of it."
  userAccessAuthorizedAgents(first: Int, after: String): ClusterAgentAuthorizationConnection
  "Agents whose ci_access does, and the project's own."
  ciAccessAuthorizedAgents(first: Int, after: String): ClusterAgentAuthorizationConnection
}

type Repository {
  "Name of the default branch."
  rootRef: String
  "Files of a commit or branch, of the default branch when none is named; those that are not there are left out."
  blobs(paths: [String!]!, ref: String): RepositoryBlobConnection
  "Null where there is no such commit; with a path, its last commit is that of the path on the default branch."
  tree(path: String, ref: String): Tree
}

type Tree { lastCommit: Commit }

type RepositoryBlobConnection { nodes: [RepositoryBlob] }

type RepositoryBlob {
  path: String!
  size: BigInt
  "Null for what is no text."
  rawTextBlob: String
}

type EnvironmentConnection { nodes: [Environment] pageInfo: PageInfo! }

type Environment {
  id: ID!
  name: String!
  slug: String
  tier: DeploymentTier
  state: String!
  externalUrl: String
  kubernetesNamespace: String
  fluxResourcePath: String
  autoStopAt: Time
  userPermissions: EnvironmentPermissions!
  "Null where there is none, and for who may not know of it."
  clusterAgent: ClusterAgent
  "The newest one of this status."
  lastDeployment(status: DeploymentStatus): Deployment
}

type Deployment {
  iid: ID
  ref: String
  "Whether ref is a tag."
  tag: Boolean
  sha: String
  status: DeploymentStatus
  createdAt: Time
  finishedAt: Time
  "Null for who may not read the code."
  commit: Commit
  triggerer: UserCore
  job: CiJob
}

type Commit { sha: String title: String webUrl: String authorName: String }

type UserCore { username: String! name: String! }

type CiJob { name: String webPath: String }

type ProjectPermissions { adminProject: Boolean! }

type ClusterAgentConnection { nodes: [ClusterAgent] pageInfo: PageInfo! }

type ClusterAgent {
  id: ID!
  name: String!
  createdAt: Time
  "Null for who may not read it."
  project: AgentProject
  connections: ConnectedAgentConnection
  tokens(status: ClusterAgentTokenStatus): ClusterAgentTokenConnection
}

type AgentProject { name: String! fullPath: ID! }

type ConnectedAgentConnection { nodes: [ConnectedAgent] }

type ConnectedAgent { connectedAt: Time }

type ClusterAgentTokenConnection { nodes: [ClusterAgentToken] }

enum ClusterAgentTokenStatus { ACTIVE REVOKED }

type ClusterAgentToken { id: ID! name: String createdAt: Time lastUsedAt: Time createdByUser: UserCore }
`;
