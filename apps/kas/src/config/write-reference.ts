/** Part of `npm run reference`: writes docs/reference/kas-config.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { kasReferenceFile, kasReferencePage } from "./reference.ts";

mkdirSync(dirname(kasReferenceFile), { recursive: true });
writeFileSync(kasReferenceFile, kasReferencePage());
