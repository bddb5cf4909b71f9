/** The rules of one kind of stream, as pure functions. Time and ids come in with the command. */
export interface Decider<Command, State, Event> {
  /**
   * Returns the events that a command causes; an empty list means that nothing changes.
   *
   * @throws FootnoteError when the command is not allowed.
   */
  decide(command: Command, state: State): readonly Event[];
  /**
   * The state after an event. Total: an event that changes nothing returns the state it was given.
   * @param revision of the event in its stream, for states that refer to it.
   */
  evolve(state: State, event: Event, revision?: bigint): State;
  /** The state of a stream without events. */
  initial: State;
}
