import { Notifications } from "@binnacle/proto/notifications";
import { createClient } from "@connectrpc/connect";

import type { KasApi } from "./kas-api.ts";
import type { Project } from "./world.ts";

/** Tells kas of a push, so that it looks now and not when the next poll is due. @throws ConnectError when kas does not take it */
export async function notifyOfPush(kas: KasApi, project: Project): Promise<void> {
  const client = createClient(Notifications, kas.transport);
  const event = { project: { id: BigInt(project.id), fullPath: project.fullPath } };
  await client.gitPushEvent({ event }, { headers: await kas.headers() });
}
