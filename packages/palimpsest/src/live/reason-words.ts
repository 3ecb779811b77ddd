/** Why a message is not as it was, for a user who knows no summarizers. */
export function reasonWords(note: string): string {
  return note.replace(
    /^(summarized by) (?:(extractive)|model:).*/,
    (_, by, rules) => `${by} ${rules ? 'rules' : 'the model'}`,
  );
}
