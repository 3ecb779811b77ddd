/**
 * Counts tokens with an open approximation of Claude's vocabulary. Used only where no bills are available.
 * @throws when `ai-tokenizer` is not installed (it is a development dependency of the bench)
 */
export async function claudeCounter(): Promise<(text: string) => number> {
  const [{ default: Tokenizer }, encoding] = await Promise.all([
    import('ai-tokenizer'),
    import('ai-tokenizer/encoding/claude'),
  ]);
  const tokenizer = new Tokenizer(encoding);
  return (text) => tokenizer.encode(text, [], []).length;
}
