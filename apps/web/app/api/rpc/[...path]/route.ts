import { answerRpc } from "../../../../src/server/routes.ts";

export const dynamic = "force-dynamic";

/** The Connect service of the dashboard. */
export function POST(request: Request): Promise<Response> {
  return answerRpc(request);
}
