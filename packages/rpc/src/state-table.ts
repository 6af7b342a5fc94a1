/** Which event leads from which state to which. An event without an entry cannot happen in that state. */
export type StateTable<State extends string, Event extends string> = Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;

/**
 * The state after `event`.
 *
 * @throws Error when the event cannot happen in that state: a mistake of the program, never of its input
 */
export function nextState<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  state: NoInfer<State>,
  event: NoInfer<Event>,
): State {
  const next = table[state][event];
  if (next === undefined) throw new Error(`"${event}" cannot happen in the state "${state}"`);
  return next;
}
