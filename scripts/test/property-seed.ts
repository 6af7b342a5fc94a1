/**
 * Loaded before every unit test: properties draw the same examples in every run of `npm test`, so that a change is judged by what
 * it changes. `npm run fuzz` draws others, by PROPERTY_SEED.
 */
import fc from "fast-check";

const seed = process.env["PROPERTY_SEED"];
fc.configureGlobal({ seed: seed === undefined ? 1 : Number(seed) });
