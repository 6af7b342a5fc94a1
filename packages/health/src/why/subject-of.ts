import type { Fields } from "@binnacle/kube";
import { quoted } from "@binnacle/words";

import { notAfterNow } from "../age.ts";
import { refOf } from "../health-ref.ts";
import type { HealthResult } from "../health-result.ts";
import { ruleInputOf } from "../rule-input.ts";
import type { Subject } from "./root.ts";
import type { World } from "./world.ts";

/** An object and its health; one without opinion has the status Unknown and no words. */
export function subjectOf(object: Fields, result: HealthResult | null, world: World): Subject {
  return {
    input: ruleInputOf(object, world),
    ref: refOf(object),
    status: result?.status ?? "Unknown",
    reason: result?.reason ?? "",
    message: result?.message ?? quoted(""),
    ...(result?.because === undefined ? {} : { because: result.because }),
    since: notAfterNow(result?.since ?? "", world.now),
    stale: result?.stale === true,
  };
}
