/** Part of `npm run reference`: writes docs/reference/web-config.md and the page and JSON Schema of a team's file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { webReferenceFile, webReferencePage } from "../src/server/config/config-reference.ts";
import { teamJsonSchema, teamReferenceFile, teamReferencePage, teamSchemaFile } from "../src/server/team-file/team-file-reference.ts";

mkdirSync(dirname(webReferenceFile), { recursive: true });
writeFileSync(webReferenceFile, webReferencePage());
writeFileSync(teamReferenceFile, teamReferencePage());
writeFileSync(teamSchemaFile, teamJsonSchema());
