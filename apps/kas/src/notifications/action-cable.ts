import type { Notification } from "./notification.ts";
import type { Delivery } from "./outlet.ts";

/** How ActionCable's Redis adapter is spoken to. */
export interface ActionCableOptions {
  readonly publish: (channel: string, payload: string) => Promise<unknown>;
  /** `channel_prefix` of the application's cable.yml. */
  readonly channelPrefix: string | undefined;
  /** Name of the stream; `{agent_id}` stands for the agent. */
  readonly stream: string;
}

/** Publishes as ActionCable's Redis adapter does: whoever streams from that name gets the payload unchanged. */
export function actionCable({ publish, channelPrefix, stream }: ActionCableOptions): (notification: Notification) => Promise<Delivery> {
  return async (notification) => {
    const name = stream.replaceAll("{agent_id}", String(notification.agent_id));
    try {
      await publish(channelPrefix === undefined ? name : `${channelPrefix}:${name}`, JSON.stringify(notification));
      return { kind: "delivered" };
    } catch (error) {
      return { kind: "failed", why: error instanceof Error ? error.message : "Redis does not take it" };
    }
  };
}
