import { z } from "zod";

import type { GitalyAccess, RepositoryName } from "./agent-info.ts";

/** How to reach Gitaly, as the main application says it. */
export const gitalySchema = z.object({
  address: z.string(),
  token: z.string().default(""),
  features: z.record(z.string(), z.string()).nullish(),
});

/** A repository, as the main application says it. */
export const repositorySchema = z.object({
  storage_name: z.string().default(""),
  relative_path: z.string().default(""),
  gl_repository: z.string().default(""),
  gl_project_path: z.string().default(""),
});

/** How to reach Gitaly, in our words. */
export function gitalyOf(value: z.output<typeof gitalySchema>): GitalyAccess {
  return { address: value.address, token: value.token, features: value.features ?? {} };
}

/** The repository, in our words. */
export function repositoryOf(value: z.output<typeof repositorySchema>): RepositoryName {
  return {
    storageName: value.storage_name,
    relativePath: value.relative_path,
    glRepository: value.gl_repository,
    glProjectPath: value.gl_project_path,
  };
}
