import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { DescEnum } from "@bufbuild/protobuf";

import { file_dashboard_v1_dashboard } from "../../packages/proto/gen/dashboard/v1/dashboard_pb.ts";
import { file_dashboard_v1_logs } from "../../packages/proto/gen/dashboard/v1/logs_pb.ts";
import { file_dashboard_v1_settings } from "../../packages/proto/gen/dashboard/v1/settings_pb.ts";

const HEAD = `// The numbers of dashboard.v1 without its messages: what only names them does not load a protobuf runtime.
// Written by scripts/enums/main.ts ("npm run gen").
import type { UnknownEnum } from "@bufbuild/protobuf";
`;

/** The enums of a contract as they are in its generated messages, as source of a module that needs no other. */
function enumsSource(enums: readonly DescEnum[]): string {
  return [HEAD, ...enums.map(source)].join("\n");
}

function source({ name, typeName, values }: DescEnum): string {
  const lines = values.map(({ localName, number }) => `  ${localName}: ${number},`);
  return `/** ${typeName} */
export const ${name} = {
${lines.join("\n")}
} as const;
/** ${typeName} */
export type ${name} = (typeof ${name})[keyof typeof ${name}] | UnknownEnum;
`;
}

/** Enums of what pages load when it is opened: in modules of their own, so that no page loads them before. */
const OF_ACTIONS = /^(Action|Edit|Terminal)/;

const directory = join(import.meta.dirname, "../../packages/proto/gen/dashboard/v1");
const { enums } = file_dashboard_v1_dashboard;
const MODULES: Readonly<Record<string, readonly DescEnum[]>> = {
  "dashboard_enums.ts": enums.filter(({ name }) => !OF_ACTIONS.test(name)),
  "action_enums.ts": enums.filter(({ name }) => OF_ACTIONS.test(name)),
  "logs_enums.ts": file_dashboard_v1_logs.enums,
  "settings_enums.ts": file_dashboard_v1_settings.enums,
};
for (const [name, ofModule] of Object.entries(MODULES)) writeFileSync(join(directory, name), enumsSource(ofModule));
