import type {
  ConfigurationError,
  Connection,
  Environment,
  EnvironmentHealth,
  Problem,
  Source,
  Viewer,
  Header,
} from "@binnacle/proto/dashboard";

/** Updates that the viewer has paused. Milliseconds since the epoch, by the server's clock. */
export interface Pause {
  readonly sinceMs: number;
  /** When what is shown was last confirmed: then, or earlier where it was stale. */
  readonly asOfMs: number;
}

/** A pause as the page shows it. */
export interface ShownPause extends Pause {
  /** How many resources have changed meanwhile. */
  readonly waiting: number;
}

/** How the stream itself fares; the cluster's side is `Connection`. */
type StreamState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly reason: string; readonly sinceMs: number }
  | { readonly kind: "ended" };

/** Everything of a view but its nodes and edges. Replaced as a whole when anything in it changes. */
export interface ViewState extends FileFacts {
  readonly environment?: Environment | undefined;
  readonly viewer?: Viewer | undefined;
  readonly health?: EnvironmentHealth | undefined;
  readonly connection?: Connection | undefined;
  readonly configurationError?: ConfigurationError | undefined;
  readonly sources: readonly Source[];
  /** Every source has answered once, or was waited for long enough (`isWhole`). */
  readonly complete: boolean;
  /** Blueprint message of an empty view. */
  readonly empty?: Problem | undefined;
  /** Why the view cannot be shown, or only as it was. */
  readonly problem?: Problem | undefined;
  readonly stream: StreamState;
  /** When the last message came, milliseconds since the epoch; 0 before the first. */
  readonly lastMessageMs: number;
  /** Raised by every applied snapshot or delta. */
  readonly version: number;
  /** When the server sent the last message, milliseconds since the epoch of its own clock. */
  readonly sentAtMs: number;
  /** When nodes and edges were last known to be as they are; 0: never. */
  readonly contentAsOfMs: number;
  /** Nothing confirms what is shown: it is from before the stream broke, and no complete snapshot has come since. */
  readonly stale: boolean;
  /** What is shown is a snapshot that the server cached from `contentAsOfMs`: it gets no updates, and nothing newer is known. */
  readonly kept: boolean;
  /** Set while the health is the one that the page was sent with: of this time by the server's clock. */
  readonly firstAsOfMs?: number | undefined;
  /** There is nothing to show, and the server has not confirmed that the environment is empty. */
  readonly blank: boolean;
  /** Set while the viewer has paused the updates: everything of the cluster is as it was then. */
  readonly pause?: ShownPause | undefined;
}

/** Nothing of the cluster is known. */
export const BLANK = {
  sources: [],
  complete: false,
  health: undefined,
  firstAsOfMs: undefined,
  empty: undefined,
  stale: false,
  kept: false,
  contentAsOfMs: 0,
  version: 0,
  blank: true,
} as const;

/** A view of which nothing has come. */
export const START: ViewState = { ...BLANK, stream: { kind: "connecting" }, lastMessageMs: 0, sentAtMs: 0 };

/** What a page has of the project's own file. */
interface FileFacts {
  /** What is to be known of it. */
  readonly notices?: Header["notices"] | undefined;
  /** Links that it gives. */
  readonly links?: Header["views"] | undefined;
}
