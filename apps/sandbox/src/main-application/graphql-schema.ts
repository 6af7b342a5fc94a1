/** The part of the main application's GraphQL schema that the dashboard uses, and nothing more. */
export const GRAPHQL_SCHEMA = `
scalar Time

enum DeploymentTier { PRODUCTION STAGING TESTING DEVELOPMENT OTHER }

type Query {
  "The user of the session or token."
  currentUser: CurrentUser
  "A project the user may read; null otherwise."
  project(fullPath: ID!): Project
  "Projects; with membership, those the user is a member of."
  projects(membership: Boolean, first: Int, after: String): ProjectConnection
}

type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

type CurrentUser { id: ID! username: String! name: String! }

type ProjectConnection { nodes: [Project] pageInfo: PageInfo! }

type Project {
  id: ID!
  name: String!
  fullPath: ID!
  environment(name: String): Environment
  environments(first: Int, after: String, search: String): EnvironmentConnection
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
  clusterAgent: ClusterAgent
}

type ClusterAgent {
  id: ID!
  name: String!
  project: AgentProject
  connections: ConnectedAgentConnection
  tokens: ClusterAgentTokenConnection
}

type AgentProject { name: String! fullPath: ID! }

type ConnectedAgentConnection { nodes: [ConnectedAgent] }

type ConnectedAgent { connectedAt: Time }

type ClusterAgentTokenConnection { nodes: [ClusterAgentToken] }

type ClusterAgentToken { lastUsedAt: Time }
`;
