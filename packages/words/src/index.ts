export { placesOf, type Catalogue, type CompiledCatalogue, type CompiledMessage } from "./catalogue.ts";
export { isWords, NOT_KNOWN, QUOTED, quoted, textsOf, words, type Facts, type FactValue, type Words } from "./words.ts";
export { Renderer } from "./renderer.ts";
export { markInvisible, visibleText } from "./visible-text.ts";
export { pseudoCatalogue } from "./pseudo-catalogue.ts";
export { type WordsId } from "./en/index.ts";
