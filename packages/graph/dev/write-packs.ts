/** Part of `npm run reference`: writes src/packs/edge-packs.ts and docs/reference/edge-packs.md. */
import { writeFileSync } from "node:fs";

import { packData, packDataFile } from "./pack-data.ts";
import { readPackFiles } from "./pack-file.ts";
import { packReference, packReferenceFile } from "./pack-reference.ts";

const packs = readPackFiles().map(({ pack }) => pack);
writeFileSync(packDataFile, await packData(packs));
writeFileSync(packReferenceFile, await packReference(packs));
