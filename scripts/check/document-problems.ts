import { statSync } from "node:fs";
import { join } from "node:path";

import { citationProblems } from "./citations.ts";
import { fileRuleProblems } from "./file-rules.ts";
import { FLOOR_PLANS, floorProblems } from "./floors.ts";
import { folderRings, LAYERED } from "./folder-rings.ts";
import { linkProblems } from "./links.ts";
import { mapProblems, PATH_MAPS } from "./map-paths.ts";
import { architectureProblems, readmeProblems } from "./readme.ts";
import { securityTable } from "./security-table.ts";
import { readSourceTree } from "./source-tree.ts";
import { vagueWordProblems } from "./vague-words.ts";

/** What documents promise about each other and about the code, and what is not so; and what is not layered as it should be. */
export interface DocumentProblems {
  /** One sentence each. */
  readonly problems: readonly string[];
  /** Ids of docs/security.md whose cell says that something is open. */
  readonly open: readonly string[];
}

/** Reads the repository. @param root its directory */
export function documentProblems(root: string): DocumentProblems {
  const tree = readSourceTree(root);
  const security = securityTable(tree, "docs/security.md");
  const rings = LAYERED.flatMap((base) => folderRings(tree, base));
  const floors = FLOOR_PLANS.flatMap((plan) => floorProblems(tree, plan));
  return {
    problems: [
      ...citationProblems(tree),
      ...linkProblems(tree),
      ...readmeProblems(tree, (path) => statSync(join(root, path)).size),
      ...architectureProblems(tree),
      ...PATH_MAPS.flatMap((map) => mapProblems(tree, map)),
      ...rings,
      ...floors,
      ...fileRuleProblems(tree),
      ...vagueWordProblems(tree),
      ...security.problems,
    ],
    open: security.open,
  };
}
