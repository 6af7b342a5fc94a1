import type { Bff } from "./bff.ts";

/** Where `main.ts` leaves the BFF for the routes: Next bundles these into modules of their own, so a module variable would not be shared. */
const SEAM = Symbol.for("binnacle.web.bff");

/** Called once, by `main.ts`. */
export function installBff(bff: Bff): void {
  Reflect.set(globalThis, SEAM, bff);
}

/** The BFF of this process. @throws when the program was not started by `src/main.ts` */
export function installedBff(): Bff {
  // Only installBff writes this property.
  const bff = Reflect.get(globalThis, SEAM) as Bff | undefined;
  if (!bff) throw new Error("the dashboard must be started with `node apps/web/src/main.ts`");
  return bff;
}
