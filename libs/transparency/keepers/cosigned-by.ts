import { type NoteKey, parseCheckpoint, verifyNote } from '#audit';

/** Returns the keys whose cosignatures a checkpoint has. A wrong cosignature counts as none. */
export function cosignedBy(checkpoint: string, keys: readonly NoteKey[]): readonly NoteKey[] {
  const note = parseCheckpoint(checkpoint)?.note;
  return note ? keys.filter((key) => verifyNote(note, [key]) !== null) : [];
}
