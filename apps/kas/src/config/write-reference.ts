/** Part of `npm run reference`: writes docs/reference/kas-config.md and docs/reference/agent-options.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { agentOptionsReferenceFile, agentOptionsReferencePage, kasReferenceFile, kasReferencePage } from "./reference.ts";

mkdirSync(dirname(kasReferenceFile), { recursive: true });
writeFileSync(kasReferenceFile, kasReferencePage());
writeFileSync(agentOptionsReferenceFile, agentOptionsReferencePage());
