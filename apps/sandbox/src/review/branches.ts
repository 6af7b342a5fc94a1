import { runGit } from "../gitaly/git-command.ts";

/** A branch as it is now. */
export interface Branch {
  readonly name: string;
  readonly sha: string;
  readonly authorName: string;
  /** First line of the message. */
  readonly title: string;
}

/** The branch that is deployed from. */
const MAIN = "main";

/** All branches of a bare repository but `main`, by name. */
export async function branchesOf(bare: string): Promise<readonly Branch[]> {
  const format = "%(refname:lstrip=2)%00%(objectname)%00%(authorname)%00%(contents:subject)";
  const printed = await runGit(["for-each-ref", `--format=${format}`, "refs/heads"], { dir: bare });
  return printed
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [name = "", sha = "", authorName = "", title = ""] = line.split("\0");
      return name === "" || name === MAIN ? [] : [{ name, sha, authorName, title }];
    });
}
