/** Why a message was changed, in words for a user. */
export function reasonWords(note: string): string {
  return note.replace(
    /^(summarized by) (?:(extractive)|model:).*/,
    (_, by, rules) => `${by} ${rules ? 'rules' : 'the model'}`,
  );
}
