import { Notifications } from "@binnacle/proto/notifications";
import { createClient } from "@connectrpc/connect";

import type { KasApi } from "./kas-api.ts";
import type { Project } from "./world.ts";

/** Notifies kas of a push, so that it polls at once. @throws ConnectError when kas does not accept it */
export async function notifyOfPush(kas: KasApi, project: Project): Promise<void> {
  const client = createClient(Notifications, kas.transport);
  const event = { project: { id: BigInt(project.id), fullPath: project.fullPath } };
  await client.gitPushEvent({ event }, { headers: await kas.headers() });
}
