import { GitRepository } from "./git-repository.ts";

/** Which file, in which commit or on which branch. */
export interface BlobPlace {
  readonly path: string;
  readonly ref: string;
}

/**
 * A file of a bare repository.
 *
 * @param fullPath "group/app"
 * @returns `undefined` when there is no such file, ref or repository
 */
export async function readBlob(gitRoot: string, fullPath: string, { path, ref }: BlobPlace): Promise<Buffer | undefined> {
  const repository = GitRepository.find(gitRoot, `${fullPath}.git`);
  if (repository === undefined || !/^[\w][\w./-]*$/.test(ref)) return undefined;
  return repository.fileAt(ref, path, AbortSignal.timeout(10_000));
}
