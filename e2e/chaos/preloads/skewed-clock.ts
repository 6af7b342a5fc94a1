/** Loaded into a program with --import: its wall clock is SKEW_MS ahead. Monotonic time stays as it is. */
const skewMs = Number(process.env["SKEW_MS"]);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: readonly unknown[], newTarget) =>
    // An instance of the requested class, at the skewed time when none is named.
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + skewMs] : args, newTarget) as Date,
  get: (target, key, receiver) => (key === "now" ? () => RealDate.now() + skewMs : (Reflect.get(target, key, receiver) as unknown)),
  apply: () => new RealDate(RealDate.now() + skewMs).toString(),
});
