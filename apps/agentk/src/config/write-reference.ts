/** Part of `npm run reference`: writes docs/reference/agentk-config.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { agentkReferenceFile, agentkReferencePage } from "./reference.ts";

mkdirSync(dirname(agentkReferenceFile), { recursive: true });
writeFileSync(agentkReferenceFile, agentkReferencePage());
