/** From so many namespaces on it is worth asking whether one list of all namespaces is allowed and cheaper. */
const ENOUGH_NAMESPACES = 3;
/** A cluster that has no more objects of a kind is cheap, whatever of them is wanted. */
const FEW_OBJECTS = 1_000;
/** So many objects may be read for each that is wanted. */
const MAX_READ_PER_WANTED = 4;
/** A watch that is saved is worth this many objects that are not needed. */
const OBJECTS_PER_WATCH = 250;
/** What is in use is left only when it costs so many times what would have made it worth while: a tab must not turn it. */
const PATIENCE = 2;

/** What is known of one list of all namespaces. `unknown`: it was not requested yet, or long ago. */
export type WideAccess = "unknown" | "allowed" | "refused";

/** The readers of a kind, and what it costs. */
export interface KindSituation {
  /** A reader wants all namespaces. */
  readonly all: boolean;
  /** How many namespaces are wanted by name. */
  readonly namespaces: number;
  readonly access: WideAccess;
  /** Objects of all namespaces, as far as is known. */
  readonly clusterObjects: number;
  /** Objects of the namespaces that are wanted; only called where it matters. */
  readonly wantedObjects: () => number;
  /** The source of all namespaces is in use. */
  readonly isWide: boolean;
}

/** Which sources a kind has. */
export interface KindChoice {
  /** One source of all namespaces. */
  readonly wide: boolean;
  /** Find out whether all namespaces may be listed, and how many objects there are. */
  readonly ask: boolean;
  /** Where the objects of a namespace come from; `wait`: the answer comes first, what is there stays. */
  readonly namespaces: "wide" | "own" | "wait";
}

/** One source of all namespaces, or one for each; how often it is watched or listed is for the watch budget to say. */
export function chooseSources(situation: KindSituation): KindChoice {
  const { all, access } = situation;
  // A reader of all namespaces waits for them in any case; the source itself finds out whether it may.
  if (all) return { wide: true, ask: false, namespaces: access === "refused" ? "own" : "wide" };
  if (access === "refused" || !isWorthwhile(situation)) return OWN;
  return access === "unknown" ? { wide: false, ask: true, namespaces: "wait" } : { wide: true, ask: false, namespaces: "wide" };
}

const OWN: KindChoice = { wide: false, ask: false, namespaces: "own" };

function isWorthwhile({ namespaces, clusterObjects, wantedObjects, isWide }: KindSituation): boolean {
  if (namespaces < (isWide ? ENOUGH_NAMESPACES - 1 : ENOUGH_NAMESPACES)) return false;
  const patience = isWide ? PATIENCE : 1;
  if (clusterObjects <= patience * Math.max(FEW_OBJECTS, OBJECTS_PER_WATCH * namespaces)) return true;
  return clusterObjects <= patience * MAX_READ_PER_WANTED * wantedObjects();
}
